package dev.belay.handler;

import dev.belay.job.Fingerprint;
import dev.belay.job.IdempotencyKey;
import dev.belay.job.InvalidInputException;
import dev.belay.job.JobLinks;
import dev.belay.job.JobRequest;
import dev.belay.job.JobType;
import dev.belay.job.Limits;
import dev.belay.job.NewJob;
import dev.belay.job.Payload;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.regex.Pattern;

/**
 * The codecs and transforms that a program knows, and the chain that it writes with. Reads every chain whose links it
 * knows. Immutable and thread-safe.
 */
public final class Codecs {

    /** The largest payload before its transforms, where nobody asked for another: 64 MiB. */
    public static final int MAX_DECODED_BYTES = 64 * 1024 * 1024;

    private static final Pattern LINK = Pattern.compile("[a-z0-9-]{1,20}");

    private final PayloadCodec writer;
    private final List<PayloadTransform> writeTransforms;
    private final Map<String, PayloadCodec> codecs = new LinkedHashMap<>();
    private final Map<String, PayloadTransform> transforms = new LinkedHashMap<>();
    private final String encoding;
    private final int maxDecodedBytes;

    private Codecs(
            PayloadCodec writer,
            List<PayloadTransform> writeTransforms,
            List<PayloadTransform> known,
            int maxDecodedBytes) {
        this.writer = writer;
        this.writeTransforms = List.copyOf(writeTransforms);
        codecs.put(checked(writer.name()), writer);
        known.forEach(transform -> transforms.put(checked(transform.name()), transform));
        writeTransforms.forEach(transform -> transforms.put(checked(transform.name()), transform));
        var chain = new StringBuilder(writer.name());
        writeTransforms.forEach(transform -> chain.append('+').append(transform.name()));
        encoding = chain.toString();
        this.maxDecodedBytes = Limits.range("maxDecodedBytes", maxDecodedBytes, 1, 1024 * 1024 * 1024);
    }

    /**
     * The codec that {@link ServiceLoader} finds ({@code belay-jackson} brings one), without transforms.
     *
     * @throws IllegalStateException where none, or more than one, is found
     */
    public static Codecs found() {
        var found = new ArrayList<PayloadCodec>();
        ServiceLoader.load(PayloadCodec.class, Codecs.class.getClassLoader()).forEach(found::add);
        if (found.isEmpty()) {
            ServiceLoader.load(PayloadCodec.class).forEach(found::add);
        }
        return switch (found.size()) {
            case 1 -> of(found.get(0));
            case 0 ->
                throw new IllegalStateException(
                        "no payload codec was found: add dev.belay:belay-jackson to the class path, or give one with codecs(Codecs.of(…))");
            default ->
                throw new IllegalStateException("more than one payload codec was found: "
                        + found.stream()
                                .map(codec -> codec.getClass().getName())
                                .toList()
                        + "; say which one to use with codecs(Codecs.of(…))");
        };
    }

    /** Writes with a codec and, left to right, these transforms. Gzip is always known for reading. */
    public static Codecs of(PayloadCodec writer, PayloadTransform... transforms) {
        return new Codecs(writer, List.of(transforms), List.of(new GzipTransform()), MAX_DECODED_BYTES);
    }

    /**
     * The same with another limit for what comes out of a transform (and for what goes into one): few stored bytes can
     * become very many. 1 byte to 1 GiB; default 64 MiB.
     */
    public Codecs maxDecodedBytes(int value) {
        return new Codecs(writer, writeTransforms, List.copyOf(transforms.values()), value);
    }

    /** The chain that it writes with: {@code json+gzip}. */
    public String encoding() {
        return encoding;
    }

    /**
     * Turns a request into what is stored.
     *
     * @throws InvalidInputException where it can't be encoded, or lacks the key that its type requires
     */
    public NewJob encode(JobRequest<?> request, JobLinks links) {
        var type = request.type();
        if (type.keyRequired() && request.key() == null) {
            throw new InvalidInputException(
                    "idempotencyKey", "type '" + type.name() + "' requires one, but none was given: call key(…)");
        }
        if (!type.payloadClass().isInstance(request.payload())) {
            throw new InvalidInputException(
                    "payload",
                    "type '" + type.name() + "' carries " + type.payloadClass().getName() + ", but was given "
                            + request.payload().getClass().getName());
        }
        var encoded = writer.encodeWithCanonical(request.payload());
        var key = request.key();
        var fingerprint = Fingerprint.of(encoded.canonical());
        return new NewJob(
                request.id(),
                request.queue(),
                type.name(),
                new Payload(transformed(encoded.bytes()), encoding, type.version()),
                new IdempotencyKey(key == null ? request.id().toString() : key, fingerprint, key != null),
                request.options(),
                request.start(),
                request.expiry(),
                links);
    }

    /**
     * Reads a result that {@link #encodeResult} wrote.
     *
     * @param encodedWith the chain that it was written with
     * @throws UndecodableException where that can't be done
     */
    public <T> T decodeResult(byte[] result, String encodedWith, Class<T> type) throws UndecodableException {
        return decode(new Payload(result, encodedWith, 1), type);
    }

    /** Encodes a result. */
    public byte[] encodeResult(Object value) {
        var bytes = transformed(writer.encode(value));
        Limits.bytes("result", bytes.length, Limits.RESULT_BYTES);
        return bytes;
    }

    /**
     * Reads a payload as what its type expects today, by way of an upcaster where it is of an older version.
     *
     * @throws UndecodableException where that can't be done
     */
    public <P> P decode(Payload payload, JobType<P> type) throws UndecodableException {
        if (payload.schemaVersion() == type.version()) {
            return decode(payload, type.payloadClass());
        }
        var upcaster = type.upcasters().get(payload.schemaVersion());
        if (upcaster == null) {
            throw new UndecodableException("payload has version " + payload.schemaVersion() + " of type '" + type.name()
                    + "', which is at version " + type.version() + " and has upcasters for "
                    + type.upcasters().keySet());
        }
        return upcast(payload, upcaster);
    }

    /** A payload in a form fit to be shown to people; never makes objects of it, never throws. */
    public String show(Payload payload) {
        try {
            return codec(payload.encoding()).show(reverted(payload));
        } catch (UndecodableException e) {
            return "(" + payload.size() + " bytes that can't be shown: " + e.getMessage() + ")";
        }
    }

    private <O, P> P upcast(Payload payload, JobType.Upcaster<O, P> upcaster) throws UndecodableException {
        var old = decode(payload, upcaster.oldClass());
        P upcast;
        try {
            upcast = upcaster.upcast().apply(old);
        } catch (RuntimeException e) {
            throw new UndecodableException("the upcaster from version " + payload.schemaVersion() + " failed: " + e, e);
        }
        if (upcast == null) {
            throw new UndecodableException("the upcaster from version " + payload.schemaVersion() + " answered null");
        }
        return upcast;
    }

    private <T> T decode(Payload payload, Class<T> type) throws UndecodableException {
        return codec(payload.encoding()).decode(reverted(payload), type);
    }

    private PayloadCodec codec(String encoding) throws UndecodableException {
        var plus = encoding.indexOf('+');
        var name = plus < 0 ? encoding : encoding.substring(0, plus);
        var codec = codecs.get(name);
        if (codec == null) {
            throw new UndecodableException("no codec '" + name + "' is known here; known are " + codecs.keySet());
        }
        return codec;
    }

    private byte[] transformed(byte[] bytes) {
        for (var transform : writeTransforms) {
            // What is accepted now can be read later.
            Limits.bytes("payload (before " + transform.name() + ")", bytes.length, maxDecodedBytes);
            bytes = transform.apply(bytes);
        }
        return bytes;
    }

    private byte[] reverted(Payload payload) throws UndecodableException {
        var links = payload.encoding().split("\\+", -1);
        var bytes = payload.bytes();
        for (var i = links.length - 1; i > 0; i--) {
            var transform = transforms.get(links[i]);
            if (transform == null) {
                throw new UndecodableException(
                        "no transform '" + links[i] + "' is known here; known are " + transforms.keySet());
            }
            bytes = transform.revert(bytes, maxDecodedBytes);
        }
        return bytes;
    }

    private static String checked(String name) {
        if (!LINK.matcher(name).matches()) {
            throw new InvalidInputException("codec name", "must match " + LINK.pattern() + ", but is '" + name + "'");
        }
        return name;
    }

    /** The codec that it writes with: for tools that read what people typed. */
    public PayloadCodec writer() {
        return writer;
    }
}
