package dev.belay.ledger;

import dev.belay.job.Backoff;
import dev.belay.job.Dedup;
import dev.belay.job.Fingerprint;
import dev.belay.job.IdempotencyKey;
import dev.belay.job.JobId;
import dev.belay.job.JobLinks;
import dev.belay.job.JobOptions;
import dev.belay.job.Moment;
import dev.belay.job.NewJob;
import dev.belay.job.Payload;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A job as it lies in an outbox: a format version, then its fields in a fixed order. */
final class JobBytes {

    private static final int FORMAT = 1;
    private static final int ABSENT = 0;
    private static final int AFTER = 1;
    private static final int AT = 2;

    private JobBytes() {}

    static byte[] of(NewJob job) {
        var bytes = new ByteArrayOutputStream(256 + job.payload().size());
        try (var out = new DataOutputStream(bytes)) {
            out.writeByte(FORMAT);
            id(out, job.id());
            text(out, job.queue());
            text(out, job.type());
            text(out, job.payload().encoding());
            out.writeInt(job.payload().schemaVersion());
            bytes(out, job.payload().bytes());
            text(out, job.key().value());
            bytes(out, job.key().fingerprint().bytes());
            out.writeBoolean(job.key().explicit());
            options(out, job.options());
            moment(out, job.start());
            moment(out, job.expiry());
            id(out, job.links().parent());
            id(out, job.links().replaces());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static void options(DataOutputStream out, JobOptions options) throws IOException {
        out.writeByte(options.priority());
        out.writeInt(options.maxAttempts());
        out.writeInt(options.maxCrashes());
        duration(out, options.timeout());
        text(out, options.backoff().wire());
        duration(out, options.retention());
        text(out, options.groupKey());
        out.writeInt(options.tags().size());
        for (var tag : options.tags()) {
            text(out, tag);
        }
        out.writeInt(options.headers().size());
        for (var header : options.headers().entrySet()) {
            text(out, header.getKey());
            text(out, header.getValue());
        }
        duration(out, options.dedup().window());
        out.writeBoolean(options.dedup().replaceWaiting());
        out.writeBoolean(options.dedup().atMostOneWaiting());
    }

    /**
     * Reads a job. What has passed since it was written is taken off its waits.
     *
     * @throws IllegalArgumentException where it can't be read
     */
    static NewJob read(byte[] bytes, Duration passed) {
        try (var in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            var format = in.readByte();
            if (format != FORMAT) {
                throw new IllegalArgumentException("it is of format " + format + ", which this version does not know");
            }
            var id = present(id(in));
            var queue = present(text(in));
            var type = present(text(in));
            var encoding = present(text(in));
            var schemaVersion = in.readInt();
            var payload = new Payload(present(bytes(in)), encoding, schemaVersion);
            var key = new IdempotencyKey(present(text(in)), new Fingerprint(present(bytes(in))), in.readBoolean());
            var options = options(in);
            return new NewJob(
                    id,
                    queue,
                    type,
                    payload,
                    key,
                    options,
                    present(moment(in, passed)),
                    moment(in, passed),
                    new JobLinks(id(in), id(in)));
        } catch (IOException e) {
            throw new IllegalArgumentException("it is damaged: " + e, e);
        }
    }

    private static JobOptions options(DataInputStream in) throws IOException {
        var priority = in.readByte();
        var maxAttempts = in.readInt();
        var maxCrashes = in.readInt();
        var timeout = duration(in);
        var backoff = Backoff.parse(present(text(in)));
        var retention = duration(in);
        var groupKey = text(in);
        List<String> tags = new ArrayList<>();
        for (var left = in.readInt(); left > 0; left--) {
            tags.add(present(text(in)));
        }
        var headers = new LinkedHashMap<String, String>();
        for (var left = in.readInt(); left > 0; left--) {
            headers.put(present(text(in)), present(text(in)));
        }
        var dedup = new Dedup(duration(in), in.readBoolean(), in.readBoolean());
        return new JobOptions(
                priority, maxAttempts, maxCrashes, timeout, backoff, retention, groupKey, tags, headers, dedup);
    }

    private static <T> T present(@Nullable T value) {
        if (value == null) {
            throw new IllegalArgumentException("it is damaged: a field is missing that must be there");
        }
        return value;
    }

    private static void bytes(DataOutputStream out, byte @Nullable [] value) throws IOException {
        out.writeInt(value == null ? -1 : value.length);
        if (value != null) {
            out.write(value);
        }
    }

    private static byte @Nullable [] bytes(DataInputStream in) throws IOException {
        var length = in.readInt();
        if (length < 0) {
            return null;
        }
        var value = in.readNBytes(length);
        if (value.length < length) {
            throw new IllegalArgumentException("it is damaged: it ends in the middle of a field");
        }
        return value;
    }

    private static void text(DataOutputStream out, @Nullable String value) throws IOException {
        bytes(out, value == null ? null : value.getBytes(StandardCharsets.UTF_8));
    }

    private static @Nullable String text(DataInputStream in) throws IOException {
        var value = bytes(in);
        return value == null ? null : new String(value, StandardCharsets.UTF_8);
    }

    private static void id(DataOutputStream out, @Nullable JobId value) throws IOException {
        out.writeBoolean(value != null);
        if (value != null) {
            out.writeLong(value.value().getMostSignificantBits());
            out.writeLong(value.value().getLeastSignificantBits());
        }
    }

    private static @Nullable JobId id(DataInputStream in) throws IOException {
        return in.readBoolean() ? new JobId(new UUID(in.readLong(), in.readLong())) : null;
    }

    private static void duration(DataOutputStream out, @Nullable Duration value) throws IOException {
        out.writeLong(value == null ? -1 : value.toMillis());
    }

    private static @Nullable Duration duration(DataInputStream in) throws IOException {
        var millis = in.readLong();
        return millis < 0 ? null : Duration.ofMillis(millis);
    }

    private static void moment(DataOutputStream out, @Nullable Moment value) throws IOException {
        if (value == null) {
            out.writeByte(ABSENT);
        } else if (value instanceof Moment.At at) {
            out.writeByte(AT);
            out.writeLong(at.resolve(0));
        } else {
            out.writeByte(AFTER);
            out.writeLong(value.resolve(0));
        }
    }

    private static @Nullable Moment moment(DataInputStream in, Duration passed) throws IOException {
        return switch (in.readByte()) {
            case ABSENT -> null;
            case AT -> new Moment.At(Instant.ofEpochMilli(in.readLong()));
            case AFTER -> new Moment.After(Duration.ofMillis(Math.max(0, in.readLong() - passed.toMillis())));
            default -> throw new IllegalArgumentException("it is damaged: a time is of no known kind");
        };
    }
}
