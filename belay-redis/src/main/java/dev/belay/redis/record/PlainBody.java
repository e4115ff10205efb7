package dev.belay.redis.record;

import dev.belay.job.JobLinks;
import dev.belay.job.JobOptions;
import dev.belay.job.NewJob;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The packed part of plain jobs' heads: jobs that come one after the other mostly differ by nothing but their fingerprint, so
 * the last one is a pattern for the next. Thread-safe.
 */
final class PlainBody {

    private static volatile @Nullable Pattern last;

    private PlainBody() {}

    /** A body with a gap for the fingerprint. */
    private record Pattern(JobOptions options, String encoding, byte[] body, int at) {

        boolean fits(NewJob job) {
            return job.options().equals(options) && job.payload().encoding().equals(encoding);
        }
    }

    static byte[] of(NewJob job) {
        if (!job.links().equals(JobLinks.NONE)) {
            return NewRecords.body(job);
        }
        var pattern = last;
        if (pattern == null || !pattern.fits(job)) {
            var body = NewRecords.body(job);
            var at = indexOf(body, 0, job.key().fingerprint().bytes());
            last = new Pattern(job.options(), job.payload().encoding(), body, at);
            return body;
        }
        var body = pattern.body.clone();
        var fingerprint = job.key().fingerprint().bytes();
        System.arraycopy(fingerprint, 0, body, pattern.at, fingerprint.length);
        return body;
    }

    /** Where the fingerprint begins: after the array's header and the encoding, whose bytes do not look like one. */
    static int indexOf(byte[] body, int from, byte[] fingerprint) {
        for (var at = from; at + fingerprint.length <= body.length; at++) {
            if (Arrays.equals(body, at, at + fingerprint.length, fingerprint, 0, fingerprint.length)) {
                return at;
            }
        }
        throw new IllegalStateException("a packed body holds its fingerprint");
    }
}
