package dev.belay.redis.record;

import dev.belay.job.Fingerprint;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads types and packed bodies of heads. Jobs that come one after the other mostly differ by nothing but their fingerprint,
 * so the last one is a pattern for the next: its bytes are compared, not unpacked. Thread-safe.
 */
final class BodyPattern {

    private static final int GAP = Fingerprint.LENGTH;

    private static volatile @Nullable BodyPattern last;

    private final byte[] bytes;
    private final int gap;
    private final BodyRead read;

    /** @param gap where the fingerprint begins */
    private BodyPattern(byte[] bytes, int gap, BodyRead read) {
        this.bytes = bytes;
        this.gap = gap;
        this.read = read;
    }

    /**
     * Reads a part of a head: the length of the type, the type, from {@code body} on the packed body.
     *
     * @throws CorruptRecordException where it does not say what a job must say
     */
    static BodyRead read(byte[] head, int from, int body, int to) throws CorruptRecordException {
        var pattern = last;
        if (pattern != null && pattern.fits(head, from, to)) {
            var gap = from + pattern.gap;
            return pattern.read.with(new Fingerprint(Arrays.copyOfRange(head, gap, gap + GAP)));
        }
        var type = Packed.text(Arrays.copyOfRange(head, from + 1, body));
        var read = BodyRead.of(type, Arrays.copyOfRange(head, body, to));
        if (read.isCommon()) {
            var bytes = Arrays.copyOfRange(head, from, to);
            last = new BodyPattern(
                    bytes,
                    PlainBody.indexOf(bytes, body - from, read.fingerprint().bytes()),
                    read);
        }
        return read;
    }

    private boolean fits(byte[] head, int from, int to) {
        return to - from == bytes.length
                && Arrays.equals(head, from, from + gap, bytes, 0, gap)
                && Arrays.equals(head, from + gap + GAP, to, bytes, gap + GAP, bytes.length);
    }
}
