package dev.belay.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class BackoffTest {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration TEN_YEARS = Duration.ofDays(3_652);

    static Stream<Backoff> settings() {
        return Stream.of(
                Backoff.DEFAULT,
                Backoff.NONE,
                Backoff.fixed(Duration.ofSeconds(5)),
                Backoff.fixed(Duration.ofSeconds(5)).withJitter(true),
                Backoff.exponential(Duration.ofSeconds(1), 2, HOUR),
                Backoff.exponential(Duration.ofSeconds(1), 2, HOUR).withJitter(false),
                Backoff.exponential(Duration.ofSeconds(1), 1e9, HOUR),
                Backoff.exponential(Duration.ofSeconds(1), Double.MAX_VALUE, HOUR),
                Backoff.exponential(TEN_YEARS, 2, TEN_YEARS),
                Backoff.exponential(TEN_YEARS, 2, Limits.MAX_WAIT),
                Backoff.exponential(Duration.ZERO, 2, HOUR),
                Backoff.exponential(Duration.ZERO, Double.MAX_VALUE, HOUR).withJitter(false),
                Backoff.exponential(Duration.ofNanos(1), 1.5, HOUR),
                Backoff.exponential(Duration.ofSeconds(3), 1, HOUR),
                Backoff.exponential(Duration.ofMillis(1), 1.0000001, Limits.MAX_WAIT));
    }

    @ParameterizedTest
    @MethodSource("settings")
    void case52_delaysAreNeverNegativeNeverAboveTheCapAndTheirBoundNeverFalls(Backoff backoff) {
        var random = new Random(7);
        var steps = IntStream.of(
                Integer.MIN_VALUE,
                -1,
                0,
                1,
                2,
                3,
                29,
                30,
                31,
                32,
                33,
                34,
                61,
                62,
                63,
                64,
                65,
                1022,
                1023,
                1024,
                1025,
                10_000,
                Integer.MAX_VALUE - 1,
                Integer.MAX_VALUE);
        var last = new Duration[] {Duration.ZERO};
        steps.forEach(n -> {
            var bound = backoff.bound(n);
            assertThat(bound).as("bound %d", n).isBetween(last[0], backoff.cap());
            for (var i = 0; i < 20; i++) {
                assertThat(backoff.delay(n, random)).as("delay %d", n).isBetween(Duration.ZERO, bound);
            }
            last[0] = bound;
        });
    }

    @Test
    void aBaseBelowAMillisecondIsNoWaitAtAnyStep() {
        var backoff = Backoff.exponential(Duration.ofNanos(999_999), 1e9, HOUR);

        assertThat(Stream.of(1, 2, 1_000_000).map(backoff::bound)).containsOnly(Duration.ZERO);
    }

    @Test
    void case52_badSettingsAreRefusedAtTheStart() {
        var second = Duration.ofSeconds(1);
        for (var bad : List.<Runnable>of(
                () -> Backoff.exponential(second, 0.99, HOUR),
                () -> Backoff.exponential(second, Double.NaN, HOUR),
                () -> Backoff.exponential(second, Double.POSITIVE_INFINITY, HOUR),
                () -> Backoff.exponential(second, -2, HOUR),
                () -> Backoff.exponential(second.negated(), 2, HOUR),
                () -> Backoff.exponential(HOUR, 2, second),
                () -> Backoff.exponential(second, 2, Duration.ofSeconds(Long.MAX_VALUE)),
                () -> Backoff.fixed(Limits.MAX_WAIT.plusNanos(1)))) {
            assertThatThrownBy(bad::run)
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("backoff");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void case53_aThousandDelaysAreSpreadOverTheWholeRange(int step) {
        for (var seed = 0; seed < 20; seed++) {
            var random = new Random(seed);
            var backoff = Backoff.exponential(Duration.ofSeconds(10), 2, HOUR);
            var bound = backoff.bound(step).toMillis();
            var slices = new int[20];
            for (var i = 0; i < 1_000; i++) {
                var delay = backoff.delay(step, random).toMillis();
                slices[(int) Math.min(19, delay * 20 / bound)]++;
            }
            assertThat(IntStream.of(slices).max().orElseThrow()).isLessThanOrEqualTo(90);
            assertThat(IntStream.of(slices).min().orElseThrow()).isPositive();
        }
    }

    @Test
    void case53_otherSeedsGiveOtherDelays() {
        assertThat(IntStream.range(0, 50).mapToObj(seed -> Backoff.DEFAULT.delay(9, new Random(seed))))
                .doesNotHaveDuplicates();
    }

    @Test
    void case57_boundsDoubleAsDocumented() {
        var seconds = new long[] {10, 20, 40, 80, 160, 320};
        for (var jitter : List.of(true, false)) {
            var backoff = Backoff.exponential(Duration.ofSeconds(10), 2, HOUR).withJitter(jitter);
            for (var n = 1; n <= seconds.length; n++) {
                var bound = Duration.ofSeconds(seconds[n - 1]);
                assertThat(backoff.bound(n)).isEqualTo(bound);
                var random = new Random(n);
                var largest = Duration.ZERO;
                for (var i = 0; i < 2_000; i++) {
                    var delay = backoff.delay(n, random);
                    largest = delay.compareTo(largest) > 0 ? delay : largest;
                }
                assertThat(largest).isBetween(jitter ? bound.multipliedBy(99).dividedBy(100) : bound, bound);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("settings")
    void theStoredFormIsReadBack(Backoff backoff) {
        var back = Backoff.parse(backoff.wire());

        assertThat(back.wire()).isEqualTo(backoff.wire());
        for (var n : List.of(1, 2, 5, 100)) {
            assertThat(back.bound(n)).isEqualTo(backoff.bound(n));
        }
        assertThat(back.jitter()).isEqualTo(backoff.jitter());
    }

    @Test
    void theStoredFormIsFixed() {
        assertThat(Backoff.DEFAULT.wire()).isEqualTo("EXPONENTIAL:1000:2.0:3600000:full");
        assertThat(Backoff.NONE.wire()).isEqualTo("NONE:0:1.0:0:none");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "EXPONENTIAL",
                "EXPONENTIAL:1000:2.0:3600000",
                "EXPONENTIAL:1000:2.0:3600000:full:more",
                "LINEAR:1000:2.0:3600000:full",
                "EXPONENTIAL:x:2.0:3600000:full",
                "EXPONENTIAL:-1:2.0:3600000:full",
                "EXPONENTIAL:2:2.0:1:full",
                "EXPONENTIAL:1000:NaN:3600000:full",
                "EXPONENTIAL:1000:2.0:99999999999999999999:full"
            })
    void whatIsNoStoredFormIsRefused(String wire) {
        assertThatThrownBy(() -> Backoff.parse(wire))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("backoff");
    }
}
