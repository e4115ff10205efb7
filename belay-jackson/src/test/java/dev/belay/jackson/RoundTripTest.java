package dev.belay.jackson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.belay.handler.Codecs;
import dev.belay.handler.UndecodableException;
import dev.belay.job.InvalidInputException;
import dev.belay.job.JobLinks;
import dev.belay.job.JobType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** Values come back as they went in. */
class RoundTripTest {

    private final JacksonCodec codec = new JacksonCodec();

    @ParameterizedTest
    @MethodSource("values")
    void case96_everyValueComesBackEqual(Object value) throws Exception {
        var bytes = codec.encode(value);

        assertThat(codec.decode(bytes, value.getClass())).isEqualTo(value);
        assertThat(codec.canonical(bytes)).isNotEmpty();
        assertThat(codec.show(bytes)).doesNotContain("not JSON");
    }

    static Stream<Object> values() {
        return Stream.of(
                new Empty(),
                new Shapes(new Circle(1.5), List.of(new Square(2), new Circle(0.1))),
                new Enums(Level.HIGH, Map.of(Level.LOW, 1)),
                new Longs(5, 5L, Long.MAX_VALUE, List.of(1L, 2L, Long.MIN_VALUE), Set.of(7L)),
                new Times(
                        Instant.parse("2026-02-28T23:59:59.123456789Z"),
                        ZonedDateTime.of(LocalDateTime.parse("2026-10-25T02:30"), ZoneId.of("Europe/Berlin"))
                                .withLaterOffsetAtOverlap(),
                        ZonedDateTime.of(LocalDateTime.parse("2026-01-01T00:00:00.000000001"), ZoneId.of("Etc/UTC")),
                        OffsetDateTime.of(LocalDateTime.parse("2026-01-01T00:00"), ZoneOffset.ofHoursMinutes(5, 45)),
                        Duration.ofDays(400).plusNanos(1),
                        LocalDate.of(2024, 2, 29),
                        Period.of(1, 2, 3),
                        Map.of(3, Instant.EPOCH.plusNanos(1))),
                new Times(
                        Instant.MIN,
                        ZonedDateTime.of(LocalDateTime.MAX, ZoneOffset.UTC),
                        ZonedDateTime.of(LocalDateTime.parse("1969-12-31T23:59:59.999999999"), ZoneId.of("UTC")),
                        OffsetDateTime.MIN,
                        Duration.ofSeconds(-1, 999_999_999),
                        LocalDate.MIN,
                        Period.ofDays(-1),
                        Map.of(Integer.MIN_VALUE, Instant.MAX)),
                new Decimals(
                        new BigDecimal("1.10"),
                        new BigDecimal("1E+3"),
                        new BigDecimal("-0.00"),
                        BigInteger.TWO.pow(3000)),
                new Decimals(
                        new BigDecimal("123456789012345678901234567890.123456789012345678901234567890"),
                        new BigDecimal("1E-2000000000"),
                        BigDecimal.ZERO,
                        BigInteger.valueOf(-1)),
                new Doubles(0.1, Double.MIN_VALUE, -0.0, Double.NaN, Float.MAX_VALUE, Float.NEGATIVE_INFINITY),
                new Options(Optional.of("x"), Optional.empty(), OptionalInt.of(3), null),
                new Generic(new Page<>(List.of(1L), 9L), new Page<>(List.of(Instant.EPOCH), Instant.MAX)),
                new Others(
                        UUID.fromString("00000000-0000-7000-8000-000000000001"),
                        URI.create("https://example.org/a?b=ü"),
                        Path.of("/tmp/a b/ü.txt"),
                        Locale.forLanguageTag("de-AT"),
                        'ß'),
                "",
                "text",
                7L,
                true);
    }

    record Empty() {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    @JsonSubTypes({@JsonSubTypes.Type(Circle.class), @JsonSubTypes.Type(Square.class)})
    sealed interface Shape {}

    @JsonTypeName("circle")
    record Circle(double radius) implements Shape {}

    @JsonTypeName("square")
    record Square(int side) implements Shape {}

    record Shapes(Shape one, List<Shape> more) {}

    enum Level {
        LOW {
            @Override
            int factor() {
                return 1;
            }
        },
        HIGH {
            @Override
            int factor() {
                return 2;
            }
        };

        abstract int factor();
    }

    record Enums(Level level, Map<Level, Integer> map) {}

    record Longs(Object small, Long boxed, long large, List<Long> list, Set<Long> set) {
        Longs {
            small = small instanceof Integer i ? (Object) i.longValue() : small;
        }
    }

    record Times(
            Instant instant,
            ZonedDateTime zoned,
            ZonedDateTime utc,
            OffsetDateTime offset,
            Duration duration,
            LocalDate date,
            Period period,
            Map<Integer, Instant> map) {}

    record Decimals(BigDecimal a, BigDecimal b, BigDecimal c, BigInteger d) {}

    record Doubles(double a, double b, double c, double d, float e, float f) {}

    record Options(
            Optional<String> a,
            Optional<Long> b,
            OptionalInt c,
            @Nullable String d) {}

    record Page<T>(List<T> items, T last) {}

    record Generic(Page<Long> longs, Page<Instant> instants) {}

    record Others(UUID uuid, URI uri, Path path, Locale locale, char character) {}

    @Test
    @SuppressWarnings("ArrayRecordComponent")
    void case96_arraysComeBackEqual() throws Exception {
        record Arrays2(int[] ints, byte[] bytes, long[][] longs, String[] texts, char[] chars) {}
        var value = new Arrays2(
                new int[] {1, -2},
                new byte[] {0, -1, 127},
                new long[][] {{1}, {}},
                new String[] {"a", null},
                new char[] {'x'});

        var back = codec.decode(codec.encode(value), Arrays2.class);

        assertThat(back).usingRecursiveComparison().isEqualTo(value);
    }

    @Test
    void case96_inPlacesWithoutATypeWholeNumbersAreLong() throws Exception {
        var back = codec.decode(
                "{\"a\":1,\"b\":1.5,\"c\":99999999999999999999,\"d\":[1e400]}".getBytes(StandardCharsets.UTF_8),
                Map.class);

        assertThat(back.get("a")).isEqualTo(1L);
        assertThat(back.get("b")).isEqualTo(1.5);
        assertThat(back.get("d")).isEqualTo(List.of(new BigDecimal("1e400")));
        assertThat(back.get("c")).isEqualTo(new BigInteger("99999999999999999999"));
    }

    @Test
    void case96_oldPayloadsAreReadByNewCodeAndNewOnesByOld() throws Exception {
        record Old(String name) {}
        record New(
                String name,
                int count,
                boolean flag,
                Optional<String> maybe,
                @Nullable List<String> list) {}

        assertThat(codec.decode(codec.encode(new Old("a")), New.class))
                .isEqualTo(new New("a", 0, false, Optional.empty(), null));
        assertThat(codec.decode(codec.encode(new New("b", 1, true, Optional.of("x"), List.of())), Old.class))
                .isEqualTo(new Old("b"));
    }

    @Test
    void aTreeKeepsItsNumbers() throws Exception {
        var json = "{\"a\":1.10,\"b\":12345678901234567890.12345678901234567890}";

        var tree = codec.decode(json.getBytes(StandardCharsets.UTF_8), JsonNode.class);

        assertThat(new String(codec.encode(tree), StandardCharsets.UTF_8)).isEqualTo(json);
    }

    @ParameterizedTest
    @MethodSource("texts")
    @SuppressWarnings("ArrayRecordComponent")
    void everyTextComesBack(String text) throws Exception {
        record Text(String text, char[] chars) {}
        var back = codec.decode(codec.encode(new Text(text, text.toCharArray())), Text.class);

        assertThat(back.text()).isEqualTo(text);
        assertThat(Arrays.equals(back.chars(), text.toCharArray())).isTrue();
    }

    static Stream<String> texts() {
        return Stream.of(
                "\0",
                "a\0b",
                "\ud83d\ude00",
                "\ud83d",
                "\ude00",
                "cut \ud83d",
                "\ude00\ud83d",
                "\ud800\ud800\udc00",
                "é".repeat(5_000) + "\ud83d",
                "x".repeat(70_000) + "\ud83dz" + "y".repeat(9_000) + "\udc00\ud83d\ude00",
                "\"\\/\b\f\n\r\t\u0001\u007f\u0080\u2028\ufeff\uffff");
    }

    @Test
    void aNameMayHoldNulButNoLoneSurrogate() throws Exception {
        assertThat(codec.decode(codec.encode(Map.of("a\0", 1L)), Map.class)).isEqualTo(Map.of("a\0", 1L));
        assertThatThrownBy(() -> codec.encode(Map.of("a\ud83d", 1)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("surrogate");
    }

    @Test
    void nullIsNoPayload() {
        assertThatThrownBy(() -> codec.decode("null".getBytes(StandardCharsets.UTF_8), String.class))
                .isInstanceOf(UndecodableException.class)
                .hasMessageContaining("null");
        assertThat(codec.encode(Optional.empty())).asString().isEqualTo("null");
    }

    @Test
    void aClassOfWhichNothingWouldBeWrittenIsRefused() {
        class Hidden {
            @SuppressWarnings("unused")
            private final int lost = 3;
        }
        assertThatThrownBy(() -> codec.encode(new Hidden()))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("Hidden");
    }

    @Test
    @SuppressWarnings("UnusedMethod")
    void whatAGetterThrowsIsAnInvalidInput() {
        record Broken(String name) {
            @Override
            public String name() {
                throw new IllegalStateException("no name today");
            }
        }
        assertThatThrownBy(() -> codec.encode(new Broken("x")))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("no name today");
    }

    @Test
    @SuppressWarnings("UnusedMethod")
    void whatAConstructorRefusesIsUndecodable() {
        record Positive(int n) {
            Positive {
                if (n <= 0) {
                    throw new IllegalArgumentException("must be positive");
                }
            }
        }
        assertThatThrownBy(() -> codec.decode("{\"n\":-1}".getBytes(StandardCharsets.UTF_8), Positive.class))
                .isInstanceOf(UndecodableException.class)
                .hasMessageContaining("must be positive");
    }

    @Test
    void aServiceLoaderFindsIt() throws Exception {
        record Receipt(String to, long amount) {}
        var type = JobType.of("send-receipt", Receipt.class);

        var job = Codecs.found().encode(type.with(new Receipt("ann", 42)), JobLinks.NONE);

        assertThat(job.payload().encoding()).isEqualTo("json");
        assertThat(Codecs.found().decode(job.payload(), type)).isEqualTo(new Receipt("ann", 42));
    }

    @Test
    void usersBringModulesOfTheirOwn() throws Exception {
        var custom = JacksonCodec.customized(
                builder -> builder.enable(tools.jackson.databind.SerializationFeature.INDENT_OUTPUT));

        assertThat(new String(custom.encode(Map.of("a", 1)), StandardCharsets.UTF_8))
                .contains("\n");
        assertThat(custom.canonical(custom.encode(Map.of("a", 1)))).asString().isEqualTo("{\"a\":1}");
    }
}
