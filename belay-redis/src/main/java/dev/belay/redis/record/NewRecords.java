package dev.belay.redis.record;

import dev.belay.job.Backoff;
import dev.belay.job.Dedup;
import dev.belay.job.Job;
import dev.belay.job.JobOptions;
import dev.belay.job.Moment;
import dev.belay.job.NewJob;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** New jobs as scripts take them. */
public final class NewRecords {

    private NewRecords() {}

    /** Id, numbers, type, body, payload, explicit key or nothing, fingerprint. */
    public static List<byte[]> arguments(NewJob job) {
        var fingerprint = job.key().fingerprint().bytes();
        return List.of(
                Ids.bytes(job.id()),
                numbers(job),
                ascii(job.type()),
                body(job),
                job.payload().bytes(),
                job.key().explicit() ? job.key().value().getBytes(StandardCharsets.UTF_8) : new byte[0],
                fingerprint);
    }

    /** Whether nothing about it is special: due at once, no key, expiry or retention of its own, more than one crash allowed. */
    public static boolean isPlain(NewJob job) {
        var options = job.options();
        return !job.key().explicit()
                && job.expiry() == null
                && options.maxCrashes() > 1
                && options.retention() == null
                && job.start() instanceof Moment.After after
                && after.resolve(0) == 0;
    }

    /** The first bytes of the head of a plain job: format, line, place, no flags. */
    public static byte[] plainStart(NewJob job) {
        return new byte[] {(byte) Job.FORMAT, (byte) job.options().priority(), 1, 0};
    }

    /** Whether two jobs are of one type, in one version. */
    public static boolean isSameKind(NewJob one, NewJob other) {
        return one.type().equals(other.type())
                && one.payload().schemaVersion() == other.payload().schemaVersion();
    }

    /** The end of a plain job's entry in line: nothing special about it, version, type. */
    public static byte[] plainTail(NewJob job) {
        var type = ascii(job.type());
        return ByteBuffer.allocate(5 + type.length)
                .put((byte) 1)
                .putInt(job.payload().schemaVersion())
                .put(type)
                .array();
    }

    /** The head of a plain job from its expiry on: what the server's time does not change. */
    public static byte[] plainRest(NewJob job) {
        var body = PlainBody.of(job);
        var type = ascii(job.type());
        return ByteBuffer.allocate(8 + 4 + 4 + 4 + 1 + type.length + body.length)
                .putLong(0)
                .putInt(job.payload().size())
                .putInt(job.payload().schemaVersion())
                .putInt(body.length)
                .put((byte) type.length)
                .put(type)
                .put(body)
                .array();
    }

    /** How tags are stored. */
    public static byte[] tags(List<String> tags) {
        return Packed.bytes(tags);
    }

    private static byte[] numbers(NewJob job) {
        var start = job.start();
        var expiry = job.expiry();
        var options = job.options();
        return ByteBuffer.allocate(24)
                .put((byte) options.priority())
                .put((byte) ((options.maxCrashes() == 1 ? 1 : 0)
                        + (options.retention() == null ? 0 : 2)
                        + (options.dedup().replaceWaiting() ? 4 : 0)))
                .put((byte) (start instanceof Moment.At ? 1 : 0))
                .putLong(start.resolve(0))
                .put((byte) (expiry == null ? 0 : expiry instanceof Moment.At ? 2 : 1))
                .putLong(expiry == null ? 0 : expiry.resolve(0))
                .putInt(job.payload().schemaVersion())
                .array();
    }

    /** The packed part of a new job's head. */
    static byte[] body(NewJob job) {
        var options = job.options();
        var dedup = options.dedup();
        var body = new @Nullable Object[dedup.equals(Dedup.DEFAULT) ? Body.SIZE : Body.DEDUP + 1];
        body[Body.ENCODING] = job.payload().encoding();
        body[Body.FINGERPRINT] = job.key().fingerprint().bytes();
        body[Body.MAX_ATTEMPTS] = options.maxAttempts();
        body[Body.MAX_CRASHES] = options.maxCrashes();
        Arrays.fill(body, Body.FAILURES, Body.TOKEN + 1, 0);
        body[Body.KEY] = job.key().explicit() ? job.key().value() : null;
        body[Body.BACKOFF] = options.backoff().equals(Backoff.DEFAULT)
                ? null
                : options.backoff().wire();
        body[Body.RETENTION] =
                options.retention() == null ? null : options.retention().toMillis();
        body[Body.TIMEOUT] =
                options.timeout() == null ? null : options.timeout().toMillis();
        body[Body.TAGS] = tags(options.tags());
        body[Body.EXTRAS] = extras(job, options);
        body[Body.HISTORY] = 0;
        body[Body.PRIORITY] = options.priority();
        if (body.length > Body.SIZE) {
            var window = dedup.window();
            body[Body.WINDOW] = window == null ? null : window.toMillis();
            body[Body.DEDUP] = (dedup.replaceWaiting() ? Body.REPLACES_WAITING : 0)
                    + (dedup.atMostOneWaiting() ? Body.ONLY_WAITING : 0);
        }
        return Packed.bytes(Arrays.asList(body));
    }

    private static byte[] extras(NewJob job, JobOptions options) {
        var links = job.links();
        return Packed.bytes(Arrays.asList(
                options.groupKey(),
                options.headers().isEmpty() ? null : headers(options),
                links.parent() == null ? null : Ids.bytes(links.parent()),
                links.replaces() == null ? null : Ids.bytes(links.replaces())));
    }

    private static byte[] headers(JobOptions options) {
        var flat = new ArrayList<String>();
        options.headers().forEach((name, value) -> {
            flat.add(name);
            flat.add(value);
        });
        return Packed.bytes(flat);
    }

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
