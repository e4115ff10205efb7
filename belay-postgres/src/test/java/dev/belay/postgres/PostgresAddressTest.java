package dev.belay.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.broker.Broker;
import dev.belay.job.InvalidInputException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PostgresAddressTest {

    @Test
    void userAndPasswordAreKeptOutOfTheUrl() {
        var address =
                PostgresAddress.parse("postgresql://ann:p%40ss+%2F@db:5433/shop?sslmode=require&belaySchema=jobs");
        assertThat(address.jdbc()).isEqualTo("jdbc:postgresql://db:5433/shop?sslmode=require");
        assertThat(address.user()).isEqualTo("ann");
        assertThat(address.password()).isEqualTo("p@ss+/");
        assertThat(address.schema()).isEqualTo("jobs");
        assertThat(address.toString()).doesNotContain("p@ss");
    }

    @Test
    void severalHostsAreTheDrivers() {
        var address = PostgresAddress.parse("postgresql://one:5432,two:5432/shop?targetServerType=primary");
        assertThat(address.jdbc()).isEqualTo("jdbc:postgresql://one:5432,two:5432/shop?targetServerType=primary");
        assertThat(address.user()).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"postgresql:", "postgresql://", "postgresql:///", "postgresql://a%zz@db/shop"})
    void whatMakesNoSenseIsRefusedByName(String address) {
        assertThatThrownBy(() -> Broker.open(address))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("address");
    }

    @Test
    void errorsShowNoSecrets() {
        assertThatThrownBy(() -> Broker.open("postgresql://ann:secret@127.0.0.1:1/shop?password=secret2"))
                .satisfies(e -> assertThat(e.toString()).doesNotContain("secret"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Jobs", "a b", "a;drop", "1a", "a.b"})
    void aSchemaThatNeedsQuotesIsRefused(String schema) {
        assertThatThrownBy(() -> PostgresBroker.builder("postgresql://db/shop").schema(schema))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("schema");
    }
}
