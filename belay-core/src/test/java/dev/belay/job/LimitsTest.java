package dev.belay.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LimitsTest {

    @ParameterizedTest
    @ValueSource(strings = {"a", "0", "send-receipt", "a.b_c-d", "9-._"})
    void goodNames(String name) {
        assertThat(Limits.name("queue", name)).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "A", "-a", ".a", "_a", "a b", "a/b", "ä", "a\n", "a\0", "a{b}", "a*"})
    void badNames(String name) {
        assertThatThrownBy(() -> Limits.name("queue", name))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageStartingWith("queue: ")
                .hasMessageContaining("[a-z0-9]");
    }

    @Test
    void case98_namesAtTheirLimit() {
        assertThat(Limits.name("type", "x".repeat(100))).hasSize(100);
        assertThatThrownBy(() -> Limits.name("type", "x".repeat(101))).hasMessageContaining("at most 100");
    }

    @Test
    void case98_textIsMeasuredInCodePoints() {
        var emoji = "\ud83d\ude00";

        assertThat(Limits.text("key", emoji.repeat(255), 1, 255)).hasSize(510);
        assertThatThrownBy(() -> Limits.text("key", emoji.repeat(256), 1, 255))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("1 to 255")
                .hasMessageContaining("has 256");
        assertThatThrownBy(() -> Limits.text("key", "", 1, 255)).hasMessageContaining("has 0");
        assertThat(Limits.text("key", "", 0, 255)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"\0", "a\0b", "\ud83d", "a\ud83d", "\ude00", "\ud83d\ud83d\ude00", "\ude00\ud83d"})
    void textThatNotEveryStoreKeepsIsRefused(String text) {
        assertThatThrownBy(() -> Limits.text("key", text, 1, 255))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("at position");
    }

    @Test
    void otherControlCharactersAreText() {
        assertThat(Limits.text("key", "\u0001\t\n\u007f\uffff", 1, 255)).hasSize(5);
    }

    @Test
    void messagesAreShortAndClean() {
        assertThatThrownBy(() -> Limits.name("queue", "\u001b[31m\ud83d" + "x".repeat(100_000)))
                .satisfies(e -> assertThat(e.getMessage())
                        .hasSizeLessThan(250)
                        .doesNotContain("\u001b")
                        .contains("…"));
    }

    @Test
    void fieldsAreNamed() {
        assertThatThrownBy(() -> Limits.range("priority", 5, 0, 4))
                .isInstanceOfSatisfying(
                        InvalidInputException.class, e -> assertThat(e.field()).isEqualTo("priority"))
                .hasMessage("priority: must be 0 to 4, but is 5");
        assertThat(Limits.range("priority", 4, 0, 4)).isEqualTo(4);
    }

    @Test
    void case98_bytes() {
        assertThatCode(() -> Limits.bytes("payload", 10, 10)).doesNotThrowAnyException();
        assertThatThrownBy(() -> Limits.bytes("payload", 11, 10))
                .hasMessage("payload: must be at most 10 bytes, but is 11 bytes");
    }

    @Test
    void waits() {
        assertThat(Limits.wait("delay", Duration.ZERO)).isZero();
        assertThat(Limits.wait("delay", Limits.MAX_WAIT)).isEqualTo(Limits.MAX_WAIT);
        assertThatThrownBy(() -> Limits.wait("delay", Duration.ofNanos(-1))).isInstanceOf(InvalidInputException.class);
        assertThatThrownBy(() -> Limits.wait("delay", Limits.MAX_WAIT.plusNanos(1)))
                .hasMessageContaining("36525 days");
        assertThatThrownBy(() -> Limits.positive("timeout", Duration.ZERO)).hasMessageContaining("above 0");
    }

    @Test
    void instants() {
        assertThat(Limits.instant("runAt", Instant.EPOCH)).isEqualTo(Instant.EPOCH);
        assertThat(Limits.instant("runAt", Limits.MAX_INSTANT)).isEqualTo(Limits.MAX_INSTANT);
        for (var bad :
                new Instant[] {Instant.MIN, Instant.EPOCH.minusNanos(1), Limits.MAX_INSTANT.plusNanos(1), Instant.MAX
                }) {
            assertThatThrownBy(() -> Limits.instant("runAt", bad)).isInstanceOf(InvalidInputException.class);
        }
    }

    @Test
    void case98_headersAreMeasuredTogetherInBytes() {
        var headers = new HashMap<String, String>();
        headers.put("a", "ü".repeat(8_191));
        assertThatCode(() -> Limits.headers(headers)).doesNotThrowAnyException();
        headers.put("b", "c");
        assertThatThrownBy(() -> Limits.headers(headers))
                .hasMessage("headers: must be at most 16384 bytes, but is 16385 bytes");
        assertThatThrownBy(() -> Limits.headers(Map.of("a", "\0"))).hasMessageContaining("header a");
        assertThatThrownBy(() -> Limits.headers(Map.of("", "x"))).hasMessageContaining("header name");
    }

    @Test
    void case98_tagsAndGroups() {
        var options = JobOptions.DEFAULT;
        for (var i = 0; i < 20; i++) {
            options = options.withTag(String.valueOf(i));
        }
        var full = options;
        assertThatThrownBy(() -> full.withTag("more")).hasMessageContaining("tags: must be 0 to 20, but is 21");
        assertThatThrownBy(() -> JobOptions.DEFAULT.withTag("x".repeat(101))).hasMessageContaining("tag: ");
        assertThatThrownBy(() -> JobOptions.DEFAULT.withGroupKey("x".repeat(256)))
                .hasMessageContaining("groupKey");
    }
}
