package dev.belay.cli.shell;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ShellTest {

    @Test
    void everyScriptStaysAsItIs() {
        var text = "Zoë Łukasz Анна Ελένη محمد שירה आदित्य สมชาย 王秀英 さくら 김민준 👩‍👩‍👧‍👦 e\u0301 \uD842\uDFB7";
        assertThat(Clean.line(text)).isEqualTo(text);
    }

    @Test
    void controlsAreShownAsEscapes() {
        assertThat(Clean.line("a\u001b[31mb\nc\td\r\u0000\u007f\u009b"))
                .isEqualTo("a\\u001b[31mb\\nc\\td\\r\\u0000\\u007f\\u009b");
        assertThat(Clean.block("a\n\tb\u001b")).isEqualTo("a\n\tb\\u001b");
        assertThat(Clean.line("\u202Etxt.exe\u2066\uD800x\uDC00")).isEqualTo("\\u202etxt.exe\\u2066\\ud800x\\udc00");
    }

    @Test
    void widthsAreThoseOfATerminal() {
        assertThat(Width.of("abc")).isEqualTo(3);
        assertThat(Width.of("王秀英")).isEqualTo(6);
        assertThat(Width.of("e\u0301")).isEqualTo(1);
        assertThat(Width.of("สมชาย")).isEqualTo(5);
        assertThat(Width.of("🎁")).isEqualTo(2);
        assertThat(Width.cut("王秀英", 4)).isEqualTo("王…");
        assertThat(Width.cut("abc", 3)).isEqualTo("abc");
        assertThat(Width.pad("王", 4, true)).isEqualTo("  王");
    }

    @Test
    void lengthsOfTimeAreShort() {
        assertThat(Times.length(0.25)).isEqualTo("0.3 ms");
        assertThat(Times.length(12)).isEqualTo("12 ms");
        assertThat(Times.length(1_234)).isEqualTo("1.2 s");
        assertThat(Times.length(61_000)).isEqualTo("1 min 1 s");
        assertThat(Times.length(3 * 3_600_000L)).isEqualTo("3 h 0 min");
        assertThat(Times.length(5 * 86_400_000L)).isEqualTo("5 d 0 h");
        assertThat(Times.length(-5)).isEqualTo("-5.0 ms");
    }

    @Test
    void jsonIsKeptToTheLastDigit() {
        var json = Json.object();
        json.putRawValue(
                "payload",
                java.util.Objects.requireNonNull(
                        Json.raw("{\n \"a b\" : [1.50,\n 123456789012345678901234567890, \"x \\\" y\"]\n}")));
        assertThat(Json.text(json))
                .isEqualTo("{\"payload\":{\"a b\":[1.50,123456789012345678901234567890,\"x \\\" y\"]}}");
        assertThat(Json.raw("{\"a\":1} trailing")).isNull();
        assertThat(Json.raw("not json")).isNull();
        assertThat(Json.raw("")).isNull();
    }
}
