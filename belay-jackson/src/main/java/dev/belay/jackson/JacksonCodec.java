package dev.belay.jackson;

import dev.belay.handler.PayloadCodec;
import dev.belay.handler.UndecodableException;
import dev.belay.job.InvalidInputException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * JSON: the codec {@code json}. Thread-safe.
 *
 * <p><b>What it reads.</b> Records and beans. A field that the JSON has and the class does not is ignored; one that the
 * class has and the JSON does not is null, 0, false or empty: so old payloads are read by new code and new ones by old
 * code. Where a field has a precise type, it comes back as that type, to the nanosecond, the zone's region and the
 * decimal's scale. Where its type is {@code Object} or {@code Number} (or a raw {@code List} or {@code Map}), whole
 * numbers come back as {@code Long} and others as {@code Double}, those beyond their range as {@code BigInteger} and
 * {@code BigDecimal}.
 *
 * <p><b>What it never does.</b> The bytes never decide which class is made: no default typing, no class names in the
 * JSON ({@code @JsonTypeInfo} by {@code CLASS} or {@code MINIMAL_CLASS} is refused: use {@code NAME} or {@code
 * DEDUCTION}), no fields of type {@code Class}.
 *
 * <p><b>Limits.</b> JSON may nest {@value #MAX_DEPTH} levels, and a number may have {@value #MAX_NUMBER_LENGTH} digits;
 * names and strings may be as long as the payload. What is beyond is refused when it is encoded, by the same rules by
 * which it is read, so what was accepted can be decoded, fingerprinted and shown.
 *
 * <p><b>Text.</b> Every Java string comes back as it was, with NUL and lone surrogates, which are written as escapes. A name (a
 * key of a map) may hold NUL; one with a lone surrogate is refused when it is encoded.
 */
public final class JacksonCodec implements PayloadCodec {

    /** How many arrays and objects may be within one another. */
    public static final int MAX_DEPTH = 500;

    /** How many digits a number may have. */
    public static final int MAX_NUMBER_LENGTH = 1_000;

    private final JsonMapper mapper;

    /** With Belay's settings. */
    public JacksonCodec() {
        this(builder -> {});
    }

    private JacksonCodec(Consumer<JsonMapper.Builder> customizer) {
        mapper = Mappers.build(customizer);
    }

    /**
     * With modules and settings of the user's own, on top of Belay's. The limits and the refusal of class names stay,
     * whatever {@code customizer} sets.
     */
    public static JacksonCodec customized(Consumer<JsonMapper.Builder> customizer) {
        return new JacksonCodec(customizer);
    }

    @Override
    public String name() {
        return "json";
    }

    @Override
    public byte[] encode(Object value) {
        return encoded(value, bytes -> {
            Scan.check(bytes);
            return bytes;
        });
    }

    /** {@inheritDoc} The bytes are read once for both: making the canonical form checks them on the way. */
    @Override
    public Encoded encodeWithCanonical(Object value) {
        return encoded(value, bytes -> new Encoded(bytes, CanonicalJson.of(bytes)));
    }

    /** @param scan reads all of the bytes, by the rules of every reader: what is accepted now is never found unreadable later */
    private <T> T encoded(Object value, Function<byte[], T> scan) {
        try {
            var bytes = mapper.writeValueAsBytes(value);
            var scanned = scan.apply(bytes);
            if (bytes.length == 4 && bytes[0] == 'n') {
                // JSON's null, which few classes can be read from.
                decode(bytes, value.getClass());
            }
            return scanned;
        } catch (JacksonException | UndecodableException e) {
            throw new InvalidInputException(
                    "payload", "can't be encoded from " + value.getClass().getName() + ": " + Scan.why(e));
        } catch (StackOverflowError e) {
            throw new InvalidInputException(
                    "payload",
                    "can't be encoded from " + value.getClass().getName()
                            + ": it nests too deep for this thread's stack; at most " + MAX_DEPTH
                            + " levels are allowed");
        }
    }

    @Override
    public <T> T decode(byte[] bytes, Class<T> type) throws UndecodableException {
        @Nullable T value;
        try {
            value = mapper.readValue(bytes, type);
        } catch (JacksonException e) {
            throw new UndecodableException("can't be read as " + type.getName() + ": " + Scan.why(e), e);
        } catch (StackOverflowError e) {
            throw new UndecodableException(
                    "can't be read as " + type.getName() + ": it nests too deep for this thread's stack", e);
        }
        if (value == null) {
            throw new UndecodableException("can't be read as " + type.getName() + ": it is null");
        }
        return value;
    }

    /**
     * {@inheritDoc}
     *
     * <p>Keys are sorted by their bytes, there is no white space, strings have the fewest escapes, and a number is its
     * significant digits and, where needed, a power of ten ({@code 1}, {@code 1.0} and {@code 1e0} are {@code 1}; {@code
     * -0} is {@code 0}; {@code 120.50} is {@code 1205e-1}): exact, whatever its length. Of equal keys the order counts.
     *
     * @throws InvalidInputException where the bytes are not JSON within the limits
     */
    @Override
    public byte[] canonical(byte[] encoded) {
        try {
            return CanonicalJson.of(encoded);
        } catch (JacksonException e) {
            throw new InvalidInputException("payload", "is not JSON: " + Scan.why(e));
        }
    }

    /**
     * {@inheritDoc}
     *
     * <p>Indented; what a terminal or a browser might obey instead of showing is escaped; at most about 1 Mi characters,
     * then it says how many bytes there are. Bytes that are not JSON are shown as text, or in hexadecimal, shortened.
     * Never throws.
     */
    @Override
    public String show(byte[] encoded) {
        try {
            return ShownJson.of(encoded);
        } catch (JacksonException e) {
            return "(not JSON: " + Scan.why(e) + ")\n" + Excerpt.of(encoded);
        }
    }
}
