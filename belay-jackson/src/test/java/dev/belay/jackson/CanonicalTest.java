package dev.belay.jackson;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.job.Fingerprint;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Equal for what differs only in formatting, different for everything else. */
class CanonicalTest {

    private final JacksonCodec codec = new JacksonCodec();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "{\"a\":1,\"b\":2} | {\"b\":2,\"a\":1}",
                "{\"a\":1} | { \"a\" :\t1 }",
                "{\"a\":1} | {\"a\":1.0}",
                "{\"a\":1} | {\"a\":1e0}",
                "{\"a\":1} | {\"a\":10E-1}",
                "{\"a\":100} | {\"a\":1e+2}",
                "{\"a\":0} | {\"a\":-0}",
                "{\"a\":0} | {\"a\":-0.00e99999999999}",
                "{\"é\":\"é\"} | {\"\\u00e9\":\"\\u00E9\"}",
                "[\"/\"] | [\"\\/\"]",
                "[\"\\n\\u0000\"] | [\"\\u000a\\u0000\"]",
                "[\"\\ud83d\\ude00\"] | [\"\ud83d\ude00\"]",
                "{\"x\":{\"d\":[{\"b\":1,\"a\":2}],\"c\":0}} | {\"x\":{\"c\":0,\"d\":[{\"a\":2,\"b\":1}]}}",
                "[123456789012345678901234567890123456789012345678901234567890] | [1234567890123456789012345678901234567890123456789012345678.90e2]"
            })
    void case86_formattingDoesNotCount(String a, String b) {
        assertThat(canonical(b)).isEqualTo(canonical(a));
        assertThat(Fingerprint.of(codec.canonical(utf8(b)))).isEqualTo(Fingerprint.of(codec.canonical(utf8(a))));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "{\"a\":1} | {\"a\":2}",
                "{\"a\":1} | {\"a\":\"1\"}",
                "{\"a\":1} | {\"a\":-1}",
                "{\"a\":1} | {\"A\":1}",
                "{\"a\":1} | {\"a\":1,\"b\":null}",
                "[1,2] | [2,1]",
                "[1,2] | [[1,2]]",
                "[12] | [1,2]",
                "[] | {}",
                "[1e10] | [1e11]",
                "[0.1] | [0.10000000000000000555]",
                "[9007199254740993] | [9007199254740992]",
                "[123456789012345678901234567890123456789012345678901234567890] | [123456789012345678901234567890123456789012345678901234567891]",
                "[\"a\"] | [\"a \"]",
                "[\"\u00e9\"] | [\"e\u0301\"]",
                "[\"\\ud83d\"] | [\"\\ud83c\"]",
                "[\"\\ud83d\"] | [\"?\"]",
                "[\"\\u0000\"] | [\"\"]",
                "[null] | [\"null\"]",
                "[true] | [false]",
                "{\"a\":{\"b\":1},\"c\":2} | {\"a\":{\"b\":1,\"c\":2}}"
            })
    void case86_everythingElseCounts(String a, String b) {
        assertThat(canonical(b)).isNotEqualTo(canonical(a));
    }

    @Test
    void theFormIsFixed() {
        assertThat(
                        canonical(
                                " { \"z\" : [ 1.50 , -0 , 1e400, true, null ] , \"a\" : { \"é\\u0001\\\"\" : 120 }, \"aa\": \"\\ud83d\" } "))
                .isEqualTo("{\"a\":{\"é\\u0001\\\"\":12e1},\"aa\":\"\\ud83d\",\"z\":[15e-1,0,1e400,true,null]}");
        assertThat(canonical("0.00012")).isEqualTo("12e-5");
        assertThat(canonical("1e99999999999999999999999")).isEqualTo("1e99999999999999999999999");
        assertThat(canonical("1.0e-99999999999999999999999")).isEqualTo("1e-99999999999999999999999");
    }

    @Test
    void itIsItsOwnCanonicalForm() {
        var once = codec.canonical(utf8("{\"b\":[1.0,{\"y\":1,\"x\":\"\\u00fc\\ud800\"}],\"a\":-0.5e3}"));

        assertThat(codec.canonical(once)).isEqualTo(once);
    }

    @Test
    void everyShuffleOfAnObjectIsTheSame() {
        var random = new Random(1);
        var members = new ArrayList<String>();
        for (var i = 0; i < 200; i++) {
            members.add(
                    "\"" + Integer.toString(random.nextInt(100_000), 36) + "-" + i + "\":{\"n\":" + i + ",\"b\":[]}");
        }
        var first = canonical("{" + String.join(",", members) + "}");
        for (var i = 0; i < 50; i++) {
            Collections.shuffle(members, random);
            assertThat(canonical("{" + String.join(",", members) + "}")).isEqualTo(first);
        }
    }

    @Test
    void equalNumbersAreExactlyThoseThatDecimalsSayAreEqual() {
        var random = new Random(2);
        var texts = new ArrayList<String>();
        for (var i = 0; i < 300; i++) {
            var digits = Integer.toString(random.nextInt(40));
            var fraction = random.nextBoolean() ? "" : "." + random.nextInt(4) + "0".repeat(random.nextInt(3));
            var exponent = random.nextBoolean() ? "" : "e" + (random.nextInt(7) - 3);
            texts.add((random.nextBoolean() ? "-" : "") + digits + fraction + exponent);
        }
        var forms = texts.stream().map(this::canonical).toList();
        var differing = new ArrayList<String>();
        for (var i = 0; i < texts.size(); i++) {
            for (var j = 0; j < i; j++) {
                var equal = new BigDecimal(texts.get(i)).compareTo(new BigDecimal(texts.get(j))) == 0;
                if (equal != forms.get(i).equals(forms.get(j))) {
                    differing.add(texts.get(i) + " and " + texts.get(j));
                }
            }
        }
        assertThat(differing).isEmpty();
    }

    /** Seconds; or, if it were quadratic, hours. */
    @Test
    @Timeout(300)
    void itIsQuickForWhatIsMeantToBeSlow() {
        // Each level out of order, and a large value within the innermost.
        var nested = "{\"b\":".repeat(499) + "\"" + "x".repeat(900_000) + "\"" + ",\"a\":1}".repeat(499);
        codec.canonical(utf8(nested));
        codec.canonical(utf8("[" + String.join(",", Collections.nCopies(100_000, "1e-999999999")) + "]"));
        var many = new StringBuilder("{\"z\":0");
        for (var i = 100_000; i > 0; i--) {
            many.append(",\"").append(i).append("\":").append(i);
        }
        codec.canonical(utf8(many.append("}").toString()));
    }

    @Test
    void encodingsOfEqualValuesAreEqual() {
        record Payload(List<String> names, Duration pause) {}
        var a = codec.encode(new Payload(List.of("x"), Duration.ofSeconds(60)));
        var b = codec.encode(new Payload(new ArrayList<>(List.of("x")), Duration.ofMinutes(1)));

        assertThat(codec.canonical(a)).isEqualTo(codec.canonical(b));
    }

    @Test
    void bothInOneGoAreWhatTheyAreOneByOne() {
        record Payload(String z, Map<String, Object> a, double number) {}
        for (var value : List.of(
                "text with \"quotes\" and é", 120.50, List.of(), new Payload("z", Map.of("k", List.of(1, 2)), 1e30))) {
            var both = codec.encodeWithCanonical(value);

            assertThat(both.bytes()).isEqualTo(codec.encode(value));
            assertThat(both.canonical()).isEqualTo(codec.canonical(both.bytes()));
        }
    }

    private String canonical(String json) {
        return new String(codec.canonical(utf8(json)), StandardCharsets.UTF_8);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
