package dev.belay.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class MomentTest {

    private static final long NOW = 1_700_000_000_000L;

    @Test
    void aMomentIsNeverEarly() {
        assertThat(new Moment.At(Instant.ofEpochMilli(5)).resolve(NOW)).isEqualTo(5);
        assertThat(new Moment.At(Instant.ofEpochMilli(5).plusNanos(1)).resolve(NOW))
                .isEqualTo(6);
        assertThat(new Moment.At(Instant.ofEpochMilli(5).plusNanos(999_999)).resolve(NOW))
                .isEqualTo(6);
        assertThat(new Moment.After(Duration.ofMillis(7)).resolve(NOW)).isEqualTo(NOW + 7);
        assertThat(new Moment.After(Duration.ofNanos(1)).resolve(NOW)).isEqualTo(NOW + 1);
        assertThat(Moment.NOW.resolve(NOW)).isEqualTo(NOW);
    }

    @Test
    void theEdgesHold() {
        assertThat(new Moment.At(Limits.MAX_INSTANT).resolve(NOW)).isEqualTo(253_402_300_799_999L);
        assertThat(new Moment.After(Limits.MAX_WAIT).resolve(NOW)).isEqualTo(NOW + 36_525L * 86_400_000);
        assertThatThrownBy(() -> new Moment.At(Instant.MAX)).isInstanceOf(InvalidInputException.class);
        assertThatThrownBy(() -> new Moment.After(Duration.ofSeconds(-1))).isInstanceOf(InvalidInputException.class);
    }
}
