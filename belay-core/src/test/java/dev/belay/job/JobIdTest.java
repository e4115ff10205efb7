package dev.belay.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobIdTest {

    @Test
    void idsAreOfVersion7() {
        var before = System.currentTimeMillis();
        var ids = new HashSet<JobId>();
        for (var i = 0; i < 10_000; i++) {
            var id = JobId.next();
            assertThat(id.value().version()).isEqualTo(7);
            assertThat(id.value().variant()).isEqualTo(2);
            assertThat(id.value().getMostSignificantBits() >>> 16).isBetween(before, System.currentTimeMillis());
            ids.add(id);
        }
        assertThat(ids).hasSize(10_000);
    }

    @Test
    void textIsReadBack() {
        var id = JobId.next();

        assertThat(JobId.parse(id.toString())).isEqualTo(id);
        assertThat(JobId.parse(id.toString().toUpperCase(java.util.Locale.ROOT)))
                .isEqualTo(id);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "1-2-3-4-5",
                "0198c2f0-5b7e-7c3a-9d1e-2f4a6b8c0d1",
                "0198c2f0-5b7e-7c3a-9d1e-2f4a6b8c0d1eff",
                "0198c2f05b7e7c3a9d1e2f4a6b8c0d1e",
                "{198c2f0-5b7e-7c3a-9d1e-2f4a6b8c0d1}",
                "0198c2f0-5b7e-7c3a-9d1e-2f4a6b8c0d1g"
            })
    void otherTextIsRefused(String text) {
        assertThatThrownBy(() -> JobId.parse(text))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("'" + text + "'");
    }
}
