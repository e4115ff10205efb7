package dev.belay.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.broker.Broker;
import dev.belay.broker.BrokerAdmin.QueueView;
import dev.belay.broker.BrokerProvider;
import dev.belay.job.By;
import dev.belay.job.InvalidInputException;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

class MemoryBrokerProviderTest {

    private static final By ANN = By.of("ann");

    private final BrokerProvider provider = new MemoryBrokerProvider();

    @Test
    void isFoundByItsScheme() {
        assertThat(ServiceLoader.load(BrokerProvider.class))
                .filteredOn(found -> found.scheme().equals("memory"))
                .singleElement()
                .isInstanceOf(MemoryBrokerProvider.class);
    }

    @Test
    void anAddressAndANamespaceAreOneStoreHoweverOftenOpened() {
        var first = provider.open("memory:provider-test", "belay");
        var second = provider.open("memory:provider-test", "belay");
        first.admin().pause("mail", ANN);
        first.close();

        assertThat(second.admin().queues()).extracting(QueueView::queue).containsExactly("mail");
        assertThat(provider.open("memory:provider-test", "belay").admin().queues())
                .hasSize(1);
        second.close();
    }

    @Test
    void otherAddressesAndNamespacesAreOtherStores() {
        try (Broker broker = provider.open("memory:provider-one", "belay");
                Broker otherName = provider.open("memory:provider-two", "belay");
                Broker otherNamespace = provider.open("memory:provider-one", "tenant-7");
                Broker noName = provider.open("memory:", "provider-test")) {
            broker.admin().pause("mail", ANN);

            assertThat(otherName.admin().queues()).isEmpty();
            assertThat(otherNamespace.admin().queues()).isEmpty();
            assertThat(noName.admin().queues()).isEmpty();
        }
    }

    @Test
    void refusesWhatMakesNoSenseAndSaysWhatWould() {
        assertThatThrownBy(() -> provider.open("sqlite:belay.db", "belay"))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("'memory:' or 'memory:some-name'")
                .hasMessageContaining("sqlite:belay.db");
        assertThatThrownBy(() -> provider.open("memory:Not A Name", "belay"))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("Not A Name");
        assertThatThrownBy(() -> provider.open("memory:", "NO"))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("namespace");
    }
}
