package dev.belay.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.belay.Belay;
import dev.belay.broker.Broker;
import dev.belay.broker.NamespaceSettings;
import dev.belay.job.By;
import dev.belay.job.DeadReason;
import dev.belay.job.Job;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import dev.belay.job.JobType;
import dev.belay.tck.crash.Child;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Real processes, really killed in each window of an effect. */
abstract class CrashWindows {

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final boolean NIGHTLY = Boolean.getBoolean("belay.tck.nightly");

    @TempDir
    private Path folder;

    private TestDatabase database;
    private Broker broker;
    private Belay belay;
    private Provider provider;
    private final List<Child> children = new ArrayList<>();

    abstract TestDatabase database();

    @BeforeEach
    void open() {
        database = database();
        broker = Broker.open(store());
        broker.admin()
                .configure(
                        NamespaceSettings.DEFAULT.withReaping(Duration.ofMillis(200), Duration.ofSeconds(1)),
                        By.of("test"));
        belay = Belay.on(broker);
        provider = new Provider(folder.resolve("provider"));
    }

    @AfterEach
    void close() {
        children.forEach(Child::close);
        belay.close();
        broker.close();
        database.close();
    }

    private String store() {
        return "sqlite:" + folder.resolve("belay.db");
    }

    private Child payer(String hold) {
        var child = Child.start(
                PayerMain.class,
                List.of(store(), database.address(), folder.resolve("provider").toString(), hold));
        children.add(child);
        return child;
    }

    private Job job(JobId id) {
        return belay.find(id).orElseThrow().job();
    }

    private Job killedAt(String window, JobType<String> type, String order) {
        var id = belay.enqueue(type.with(order)).id();
        payer(window).await(window, 1).kill();
        payer("");
        await().atMost(PATIENCE).until(() -> job(id).state().isFinal());
        return job(id);
    }

    private long asked(String order) {
        return provider.asked().getOrDefault(order, 0L);
    }

    @ParameterizedTest
    @CsvSource({"before-reserve,1", "reserved,1", "calling,2", "called,2", "recorded,1"})
    void G8_killedInAWindowAnEffectIsMadeAgainWithTheSameKeyOrNotAtAll(String window, long asked) {
        var job = killedAt(window, PayerMain.PAY, "order-1");
        assertThat(job.state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(job.counts().crashes()).isEqualTo(1);
        assertThat(asked("order-1")).isEqualTo(asked);
        try (var ledger = database.ledger().open()) {
            var entry = ledger.admin().find("belay/pay", "order-1").orElseThrow();
            assertThat(entry.state()).isEqualTo(LedgerEntry.State.COMPLETED);
            assertThat(new String(entry.result(), java.nio.charset.StandardCharsets.UTF_8))
                    .isEqualTo("\"receipt of order-1\"");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "before-reserve,SUCCEEDED,1",
        "reserved,DEAD,0",
        "calling,DEAD,1",
        "called,DEAD,1",
        "recorded,SUCCEEDED,1"
    })
    void G8_killedInAWindowAnAtMostOnceEffectIsNeverMadeAgain(String window, JobState state, long asked) {
        var job = killedAt(window, PayerMain.PAY_BLINDLY, "order-1");
        assertThat(job.state()).isEqualTo(state);
        assertThat(asked("order-1")).isEqualTo(asked);
        if (state == JobState.DEAD) {
            assertThat(job.reason()).isEqualTo(DeadReason.OUTCOME_UNKNOWN.name());
            try (var ledger = database.ledger().open()) {
                assertThat(ledger.admin().open(null, 10))
                        .singleElement()
                        .satisfies(entry -> assertThat(entry.isUnknown()).isTrue());
            }
        }
    }

    @Test
    void G8_manyKillsAnywhere() {
        var kills = Integer.getInteger("belay.ledger.kills", NIGHTLY ? 300 : 8);
        var perKill = 12;
        var random = new Random(7);
        var payers = new ArrayList<Child>();
        for (var i = 0; i < 2; i++) {
            payers.add(payer(""));
        }
        payers.forEach(Child::awaitReady);
        Map<JobId, String> orders = new LinkedHashMap<>();
        for (var kill = 0; kill < kills; kill++) {
            var victim = random.nextInt(payers.size());
            var windows = List.of("before-reserve", "reserved", "calling", "called", "recorded");
            var window = windows.get(random.nextInt(windows.size()));
            var seen = payers.get(victim).told(window).size();
            // The other one takes some of them: there is enough for both.
            for (var i = 0; i < perKill || payers.get(victim).told(window).size() == seen; i++) {
                var order = "order-" + kill + "-" + i;
                orders.put(
                        belay.enqueue((i % 2 == 0 ? PayerMain.PAY : PayerMain.PAY_BLINDLY).with(order))
                                .id(),
                        order);
            }
            payers.get(victim).kill();
            payers.set(victim, payer("").awaitReady());
        }
        await().atMost(PATIENCE.plusSeconds(kills))
                .until(() ->
                        orders.keySet().stream().allMatch(id -> job(id).state().isFinal()));
        var asked = provider.asked();
        orders.forEach((id, order) -> {
            var job = job(id);
            long times = asked.getOrDefault(order, 0L);
            if (job.type().equals(PayerMain.PAY.name())) {
                assertThat(job.state()).as(order).isEqualTo(JobState.SUCCEEDED);
                assertThat(times).as(order).isBetween(1L, job.counts().crashes() + 1L);
            } else {
                assertThat(times).as("%s, asked at most once", order).isLessThanOrEqualTo(1);
                assertThat(job.state() == JobState.SUCCEEDED
                                || DeadReason.OUTCOME_UNKNOWN.name().equals(job.reason()))
                        .as("%s: %s %s", order, job.state(), job.reason())
                        .isTrue();
                assertThat(times == 1 || job.state() == JobState.DEAD).as(order).isTrue();
            }
        });
    }
}
