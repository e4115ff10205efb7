package dev.belay.job;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AddressesTest {

    @ParameterizedTest
    @CsvSource({
        "sqlite:belay.db, sqlite:belay.db",
        "redis://localhost:6379/0, redis://localhost:6379/0",
        "redis://ann:s3cret@localhost:6379/0, redis://***@localhost:6379/0",
        "rediss://:s3cret@host/2, rediss://***@host/2",
        "jdbc:postgresql://host/shop?user=ann&password=s3cret&ssl=true, jdbc:postgresql://host/shop?user=ann&password=***&ssl=true",
        "jdbc:postgresql://host/shop?PASSWORD=s3cret, jdbc:postgresql://host/shop?PASSWORD=***"
    })
    void aSecretIsNotShown(String address, String shown) {
        assertThat(Addresses.withoutSecrets(address)).isEqualTo(shown);
    }
}
