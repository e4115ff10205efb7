package dev.belay.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class JobTypeTest {

    private static final JobType<String> TYPE = JobType.define("send-receipt", String.class)
            .queue("mail")
            .priority(1)
            .maxAttempts(3)
            .maxCrashes(1)
            .timeout(Duration.ofSeconds(30))
            .retention(Duration.ofHours(2))
            .expiresAfter(Duration.ofDays(1))
            .retry(RetryPolicy.with(Backoff.fixed(Duration.ofSeconds(5))))
            .build();

    @Test
    void aRequestBeginsWithItsTypesDefaults() {
        var request = TYPE.with("x");

        assertThat(request.type()).isSameAs(TYPE);
        assertThat(request.payload()).isEqualTo("x");
        assertThat(request.queue()).isEqualTo("mail");
        assertThat(request.key()).isNull();
        assertThat(request.start()).isEqualTo(Moment.NOW);
        assertThat(request.expiry()).isEqualTo(new Moment.After(Duration.ofDays(1)));
        assertThat(request.options().priority()).isEqualTo(1);
        assertThat(request.options().maxAttempts()).isEqualTo(3);
        assertThat(request.options().maxCrashes()).isEqualTo(1);
        assertThat(request.options().timeout()).isEqualTo(Duration.ofSeconds(30));
        assertThat(request.options().retention()).isEqualTo(Duration.ofHours(2));
        assertThat(request.options().backoff()).isEqualTo(Backoff.fixed(Duration.ofSeconds(5)));
    }

    @Test
    void theDefaultsAreThoseOfTheDocumentation() {
        var request = JobType.of("t", String.class).with("x");

        assertThat(request.queue()).isEqualTo("default");
        assertThat(request.expiry()).isNull();
        assertThat(request.options()).isEqualTo(JobOptions.DEFAULT);
        assertThat(JobOptions.DEFAULT.priority()).isEqualTo(2);
        assertThat(JobOptions.DEFAULT.maxAttempts()).isEqualTo(5);
        assertThat(JobOptions.DEFAULT.maxCrashes()).isEqualTo(3);
        assertThat(JobOptions.DEFAULT.timeout()).isNull();
        assertThat(JobOptions.DEFAULT.backoff())
                .isEqualTo(Backoff.exponential(Duration.ofSeconds(1), 2, Duration.ofHours(1)));
    }

    @Test
    void whatAKeyMeansIsSaidByTheTypeOrTheRequest() {
        var type = JobType.define("sync", String.class)
                .dedupWindow(Duration.ofHours(48))
                .atMostOneWaiting()
                .replaceWaiting()
                .build();
        assertThat(type.with("x").options().dedup()).isEqualTo(new Dedup(Duration.ofHours(48), true, true));

        var request = TYPE.with("x");
        assertThat(request.options().dedup()).isEqualTo(Dedup.DEFAULT);
        assertThat(request.dedupWindow(Duration.ofMinutes(1)).options().dedup())
                .isEqualTo(new Dedup(Duration.ofMinutes(1), false, false));
        assertThat(request.replaceWaiting().options().dedup()).isEqualTo(new Dedup(null, true, false));
        assertThat(request.atMostOneWaiting().options().dedup()).isEqualTo(new Dedup(null, false, true));
        assertThat(type.with("x").dedupWindow(Duration.ofMinutes(1)).options().dedup())
                .isEqualTo(new Dedup(Duration.ofMinutes(1), true, true));
    }

    @Test
    void aDedupWindowIsAboveZeroAndNoLongerThanAnyWait() {
        var request = TYPE.with("x");
        var define = JobType.define("sync", String.class);
        for (var wrong : java.util.List.of(Duration.ZERO, Duration.ofSeconds(-1), Limits.MAX_WAIT.plusMillis(1))) {
            assertThatThrownBy(() -> request.dedupWindow(wrong))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("dedupWindow")
                    .hasMessageContaining(wrong.toString());
            assertThatThrownBy(() -> define.dedupWindow(wrong)).isInstanceOf(InvalidInputException.class);
        }
        assertThat(request.dedupWindow(Limits.MAX_WAIT).options().dedup().window())
                .isEqualTo(Limits.MAX_WAIT);
    }

    @Test
    void aRequestIsImmutableAndKeepsItsId() {
        var request = TYPE.with("x");
        var changed = request.queue("sms")
                .key("k")
                .delay(Duration.ofSeconds(1))
                .priority(0)
                .header("h", "1")
                .header("h", "2")
                .tag("a")
                .tag("b")
                .groupKey("g")
                .expiresAt(Instant.EPOCH);

        assertThat(request.queue()).isEqualTo("mail");
        assertThat(request.key()).isNull();
        assertThat(request.options().tags()).isEmpty();
        assertThat(changed.id()).isEqualTo(request.id());
        assertThat(changed.queue()).isEqualTo("sms");
        assertThat(changed.key()).isEqualTo("k");
        assertThat(changed.start()).isEqualTo(new Moment.After(Duration.ofSeconds(1)));
        assertThat(changed.expiry()).isEqualTo(new Moment.At(Instant.EPOCH));
        assertThat(changed.options().headers()).containsOnly(java.util.Map.entry("h", "2"));
        assertThat(changed.options().tags()).containsExactly("a", "b");
        assertThat(changed.options().groupKey()).isEqualTo("g");
        assertThat(TYPE.with("x").id()).isNotEqualTo(request.id());
        var id = JobId.next();
        assertThat(request.id(id).id()).isEqualTo(id);
        assertThat(request.runAt(Instant.EPOCH).start()).isEqualTo(new Moment.At(Instant.EPOCH));
        assertThat(request.expiresAfter(Duration.ofSeconds(3)).expiry())
                .isEqualTo(new Moment.After(Duration.ofSeconds(3)));
    }

    @Test
    void whatCannotBeStoredIsRefusedWhereItIsSaid() {
        var request = TYPE.with("x");
        assertThatThrownBy(() -> request.key("")).hasMessageContaining("idempotencyKey");
        assertThatThrownBy(() -> request.key("k".repeat(256))).hasMessageContaining("has 256");
        assertThatThrownBy(() -> request.queue("No")).hasMessageContaining("queue");
        assertThatThrownBy(() -> request.priority(5)).hasMessageContaining("priority");
        assertThatThrownBy(() -> request.delay(Duration.ofSeconds(-1))).hasMessageContaining("delay");
        assertThatThrownBy(() -> JobType.of("Send", String.class)).hasMessageContaining("type");
        assertThatThrownBy(() -> JobType.define("t", String.class).maxAttempts(0))
                .hasMessageContaining("maxAttempts");
        assertThatThrownBy(() -> JobType.define("t", String.class).maxCrashes(0))
                .hasMessageContaining("maxCrashes");
        assertThatThrownBy(() -> JobType.define("t", String.class).timeout(Duration.ZERO))
                .hasMessageContaining("timeout");
        assertThatThrownBy(() -> JobType.define("t", String.class).aliases("ok", "Not"))
                .hasMessageContaining("alias");
        assertThatThrownBy(() -> JobType.define("t", String.class)
                        .version(2)
                        .upcast(2, Integer.class, String::valueOf)
                        .build())
                .hasMessageContaining("must be older")
                .hasMessageContaining("2");
    }
}
