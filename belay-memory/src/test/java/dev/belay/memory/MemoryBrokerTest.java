package dev.belay.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.broker.BrokerAdmin.QueueView;
import dev.belay.broker.BrokerException;
import dev.belay.broker.NamespaceSettings;
import dev.belay.job.By;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

class MemoryBrokerTest {

    private static final By ANN = By.of("ann");

    @Test
    void takesItsClockAndItsSettingsFromTheBuilder() {
        var settings = NamespaceSettings.DEFAULT.withReaping(Duration.ofSeconds(1), Duration.ofSeconds(3));
        var broker = MemoryBroker.builder()
                .clock(() -> Instant.ofEpochMilli(1_234))
                .settings(settings)
                .build();

        assertThat(broker.admin().time()).isEqualTo(1_234);
        assertThat(broker.settings()).isEqualTo(settings);
    }

    @Test
    void isAStoreOfItsOwnThatItsNodesShare() {
        var broker = MemoryBroker.create();
        var node = broker.node();
        broker.admin().pause("mail", ANN);
        broker.close();

        assertThat(node.admin().queues()).extracting(QueueView::queue).containsExactly("mail");
        assertThat(MemoryBroker.create().admin().queues()).isEmpty();
    }

    @Test
    void isClosedForGood() {
        var broker = MemoryBroker.create();
        var admin = broker.admin();
        var cells = broker.cells();
        broker.close();
        broker.close();

        assertThatThrownBy(broker::reap)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
        assertThatThrownBy(broker::admin).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(admin::queues).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> cells.get("a")).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aRefusedCallIsNotApplied() {
        var broker = MemoryBroker.create();
        broker.connection().fail(MemoryConnection.Fault.REFUSED);

        assertThatThrownBy(() -> broker.admin().pause("mail", ANN)).isInstanceOf(BrokerException.NotApplied.class);

        broker.connection().restore();
        assertThat(broker.admin().queues()).isEmpty();
    }

    @Test
    void aLostRequestIsNotAppliedButNobodyKnows() {
        var broker = MemoryBroker.create();
        broker.connection().fail(MemoryConnection.Fault.REQUEST_LOST);

        assertThatThrownBy(() -> broker.admin().pause("mail", ANN)).isInstanceOf(BrokerException.Unknown.class);

        broker.connection().restore();
        assertThat(broker.admin().queues()).isEmpty();
    }

    @Test
    void aLostReplyLeavesTheCallApplied() {
        var broker = MemoryBroker.create();
        var node = broker.node();
        broker.connection().fail(MemoryConnection.Fault.REPLY_LOST);

        assertThatThrownBy(() -> broker.admin().pause("mail", ANN)).isInstanceOf(BrokerException.Unknown.class);

        assertThat(node.admin().queues()).extracting(QueueView::paused).containsExactly(true);
    }

    @Test
    void aCallbackMayCallTheBrokerAndOneThatThrowsHarmsNobody() {
        var broker = MemoryBroker.create();
        var seen = new ArrayList<String>();
        var thread = Thread.currentThread();
        var before = thread.getUncaughtExceptionHandler();
        thread.setUncaughtExceptionHandler((where, error) -> seen.add(String.valueOf(error.getMessage())));
        try (var failing = broker.listen("mail", () -> {
                    throw new IllegalStateException("a callback that throws");
                });
                var calling = broker.listen(
                        "mail", () -> seen.add("time " + broker.admin().time()))) {
            broker.admin().resume("mail", ANN);
        } finally {
            thread.setUncaughtExceptionHandler(before);
        }
        broker.admin().resume("mail", ANN);

        assertThat(seen).hasSize(2).contains("a callback that throws").anyMatch(text -> text.startsWith("time "));
    }
}
