package dev.belay.jackson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.handler.UndecodableException;
import dev.belay.job.InvalidInputException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What can be encoded can be decoded, fingerprinted and shown. */
class LimitsTest {

    private final JacksonCodec codec = new JacksonCodec();

    record Nest(@Nullable Nest next) {}

    @ParameterizedTest
    @CsvSource({
        "99,true",
        "100,true",
        "499,true",
        "500,true",
        "501,false",
        "999,false",
        "1000,false",
        "1001,false",
        "100000,false"
    })
    void case99_depth(int depth, boolean accepted) {
        Nest records = null;
        Object lists = List.of();
        Object maps = Map.of();
        for (var i = 0; i < depth; i++) {
            records = new Nest(records);
            lists = i == 0 ? lists : List.of(lists);
            maps = i == 0 ? maps : Map.of("k", maps);
        }
        for (var value : List.of(records, lists, maps)) {
            if (accepted) {
                readableByAll(value);
            } else {
                assertThatThrownBy(() -> codec.encode(value))
                        .isInstanceOf(InvalidInputException.class)
                        .hasMessageContaining("500");
                assertThatThrownBy(() -> codec.encodeWithCanonical(value))
                        .isInstanceOf(InvalidInputException.class)
                        .hasMessageContaining("500");
            }
        }
        for (var json :
                List.of("[".repeat(depth) + "]".repeat(depth), "{\"k\":".repeat(depth) + "1" + "}".repeat(depth))) {
            readOrRefused(json.getBytes(StandardCharsets.UTF_8), accepted, Object.class);
        }
    }

    @Test
    void case99_aCycleIsRefused() {
        var list = new ArrayList<Object>();
        list.add(List.of(list));

        assertThatThrownBy(() -> codec.encode(list)).isInstanceOf(InvalidInputException.class);
        assertThatThrownBy(() -> codec.encodeWithCanonical(list)).isInstanceOf(InvalidInputException.class);
    }

    @Test
    void case99_nothingOverflowsASmallStack() throws Exception {
        var deep = ("[".repeat(500) + "]".repeat(500)).getBytes(StandardCharsets.UTF_8);
        var problems = new ArrayList<Throwable>();
        var thread = new Thread(
                null,
                () -> {
                    codec.canonical(deep);
                    codec.show(deep);
                    try {
                        codec.decode(deep, Object.class);
                    } catch (UndecodableException e) {
                        assertThat(e).hasMessageContaining("stack");
                    }
                },
                "small",
                192 * 1024);
        thread.setUncaughtExceptionHandler((t, e) -> problems.add(e));
        thread.start();
        thread.join();

        assertThat(problems).isEmpty();
    }

    @Test
    void case99_longNamesAndStrings() throws Exception {
        readableByAll(Map.of("k".repeat(60_000), 1L));
        var large = "äx".repeat(10_500_000);
        var bytes = codec.encode(large);
        assertThat(codec.decode(bytes, String.class)).isEqualTo(large);
        assertThat(codec.canonical(bytes)).isEqualTo(bytes);
        assertThat(codec.show(bytes)).endsWith("(" + bytes.length + " bytes in all)");
    }

    @ParameterizedTest
    @CsvSource({"1000,true", "1001,false", "10000,false"})
    void case99_longNumbers(int digits, boolean accepted) {
        var text = "9".repeat(digits);
        var numbers = List.<Number>of(
                new BigInteger(text), new BigInteger(text).negate(), new BigDecimal(new BigInteger(text), 3));
        for (var number : numbers) {
            if (accepted) {
                readableByAll(number);
            } else {
                assertThatThrownBy(() -> codec.encode(number))
                        .isInstanceOf(InvalidInputException.class)
                        .hasMessageContaining("1000")
                        .hasMessageContaining(String.valueOf(digits));
            }
        }
        readOrRefused(text.getBytes(StandardCharsets.UTF_8), accepted, BigInteger.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {1024 * 1024 - 1, 1024 * 1024, 1024 * 1024 + 1, 4 * 1024 * 1024})
    void case98_nothingIsCutWhateverTheBorderFallsOn(int size) throws Exception {
        for (var filler : List.of("x", "ü", "€", "\ud83d\ude00", "\ud83d", "\0")) {
            for (var shift = 0; shift < 3; shift++) {
                var text = "y".repeat(shift) + filler.repeat(size / 6 / filler.length());
                assertThat(codec.decode(codec.encode(text), String.class)).isEqualTo(text);
            }
        }
    }

    @Test
    void showStaysSmallWhateverIsNested() {
        var json = ("[".repeat(499) + "[1" + ",1".repeat(500_000) + "]" + "]".repeat(499))
                .getBytes(StandardCharsets.UTF_8);

        assertThat(codec.show(json)).hasSizeLessThan(1_100_000).endsWith("bytes in all)");
    }

    @Test
    void showEscapesWhatATerminalWouldObey() {
        var json = codec.encode(Map.of("k", "\u001b[2J\u202eabc\u009b\ud83d\ude00\ud83d\n"));

        assertThat(codec.show(json)).isEqualTo("{\n  \"k\": \"\\u001b[2J\\u202eabc\\u009b\ud83d\ude00\\ud83d\\n\"\n}");
    }

    @Test
    void showLaysOut() {
        assertThat(codec.show("{\"a\":[],\"b\":{},\"c\":[1,{\"d\":null}],\"e\":1.50}".getBytes(StandardCharsets.UTF_8)))
                .isEqualTo("""
                        {
                          "a": [],
                          "b": {},
                          "c": [
                            1,
                            {
                              "d": null
                            }
                          ],
                          "e": 1.50
                        }""");
        assertThat(codec.show("7".getBytes(StandardCharsets.UTF_8))).isEqualTo("7");
    }

    private void readableByAll(Object value) {
        var bytes = codec.encode(value);
        Class<?> type = value instanceof Map ? Map.class : value instanceof List ? List.class : value.getClass();
        assertThatCode(() -> codec.decode(bytes, type)).doesNotThrowAnyException();
        assertThat(codec.canonical(bytes)).isNotEmpty();
        assertThat(codec.show(bytes)).doesNotContain("not JSON");
    }

    private void readOrRefused(byte[] json, boolean accepted, Class<?> type) {
        if (accepted) {
            assertThatCode(() -> codec.decode(json, type)).doesNotThrowAnyException();
            codec.canonical(json);
        } else {
            assertThatThrownBy(() -> codec.decode(json, type)).isInstanceOf(UndecodableException.class);
            assertThatThrownBy(() -> codec.canonical(json)).isInstanceOf(InvalidInputException.class);
            assertThat(codec.show(json)).contains("not JSON");
        }
    }
}
