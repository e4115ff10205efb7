package dev.belay.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.Belay;
import dev.belay.broker.Broker;
import dev.belay.handler.Codecs;
import dev.belay.job.InvalidInputException;
import dev.belay.job.JobState;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What docs/duplicates.md says is so. */
class DuplicatesTest {

    @Test
    void theNewestPayloadWins() {
        try (var broker = Broker.open("memory:duplicates");
                var belay = Belay.on(broker)) {
            var second = Duplicates.newest(belay);

            assertThat(second.replaced()).isTrue();
            assertThat(second.duplicate()).isTrue();
            assertThat(second.state()).isEqualTo(JobState.SCHEDULED);
            var payload = belay.find(second.id()).orElseThrow().payload();
            assertThat(Codecs.found().show(Objects.requireNonNull(payload))).contains("ann@new.example");
        }
    }

    @Test
    void aKeyIsDemanded() {
        try (var broker = Broker.open("memory:duplicates-without-key");
                var belay = Belay.on(broker)) {
            assertThat(Duplicates.CHARGE.options().dedup().window()).isEqualTo(Duration.ofDays(7));
            assertThatThrownBy(() -> belay.enqueue(Duplicates.CHARGE, new Duplicates.Charge(42, "19.90")))
                    .isInstanceOf(InvalidInputException.class);
            assertThatThrownBy(() -> belay.enqueue(Duplicates.SYNC, new Duplicates.Customer(7, "ann@example.org")))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("call key(");
        }
    }
}
