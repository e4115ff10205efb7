package dev.belay.ledger;

import static java.util.Objects.requireNonNull;
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

/** Real processes, really killed in each window of an effect. */
abstract class CrashWindows {

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final boolean NIGHTLY = Boolean.getBoolean("belay.tck.nightly");

    private static final List<String> WINDOWS = List.of("before-reserve", "reserved", "calling", "called", "recorded");

    @TempDir
    private Path folder;

    private TestDatabase database;
    private Broker broker;
    private Belay belay;
    private Provider provider;
    private final Map<String, Long> asked = new LinkedHashMap<>();
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

    private Child payer(String hold, int slots) {
        var child = Child.start(
                PayerMain.class,
                List.of(
                        store(),
                        database.address(),
                        folder.resolve("provider").toString(),
                        hold,
                        String.valueOf(slots)));
        children.add(child);
        return child;
    }

    private Job job(JobId id) {
        return belay.find(id).orElseThrow().job();
    }

    /** Kills a process in each window, each with an order of its own; answers the jobs once others have finished them. */
    private Map<String, Job> killedInEachWindow(JobType<String> type) {
        var held = new LinkedHashMap<String, Child>();
        WINDOWS.forEach(window -> held.put(window, payer(window, 1)));
        held.values().forEach(Child::awaitReady);
        var ids = new LinkedHashMap<String, JobId>();
        for (var i = 0; i < WINDOWS.size(); i++) {
            ids.put("order-" + i, belay.enqueue(type.with("order-" + i)).id());
        }
        held.forEach((window, child) -> child.await(window, 1));
        held.values().forEach(Child::kill);
        payer("", 4);
        await().atMost(PATIENCE)
                .until(() ->
                        ids.values().stream().allMatch(id -> job(id).state().isFinal()));
        var jobs = new LinkedHashMap<String, Job>();
        held.forEach((window, child) -> {
            var order = child.told(window).get(0);
            jobs.put(window, job(requireNonNull(ids.get(order))));
            asked.put(window, provider.asked().getOrDefault(order, 0L));
        });
        return jobs;
    }

    @Test
    void G8_killedInAWindowAnEffectIsMadeAgainWithTheSameKeyOrNotAtAll() {
        var jobs = killedInEachWindow(PayerMain.PAY);
        assertThat(jobs.values()).allSatisfy(job -> {
            assertThat(job.state()).isEqualTo(JobState.SUCCEEDED);
            assertThat(job.counts().crashes()).isEqualTo(1);
        });
        assertThat(asked)
                .isEqualTo(Map.of("before-reserve", 1L, "reserved", 1L, "calling", 2L, "called", 2L, "recorded", 1L));
        try (var ledger = database.ledger().open()) {
            for (var i = 0; i < WINDOWS.size(); i++) {
                var entry = ledger.admin().find("belay/pay", "order-" + i).orElseThrow();
                assertThat(entry.state()).isEqualTo(LedgerEntry.State.COMPLETED);
                assertThat(entry.result()).isEqualTo(Claims.bytes("\"receipt of order-" + i + "\""));
            }
        }
    }

    @Test
    void G8_killedInAWindowAnAtMostOnceEffectIsNeverMadeAgain() {
        var jobs = killedInEachWindow(PayerMain.PAY_BLINDLY);
        assertThat(asked)
                .isEqualTo(Map.of("before-reserve", 1L, "reserved", 0L, "calling", 1L, "called", 1L, "recorded", 1L));
        jobs.forEach((window, job) -> {
            var isKnown = window.equals("before-reserve") || window.equals("recorded");
            assertThat(job.state()).as(window).isEqualTo(isKnown ? JobState.SUCCEEDED : JobState.DEAD);
            if (!isKnown) {
                assertThat(job.reason()).as(window).isEqualTo(DeadReason.OUTCOME_UNKNOWN.name());
            }
        });
        try (var ledger = database.ledger().open()) {
            assertThat(ledger.admin().unknown(10)).hasSize(3);
        }
    }

    @Test
    void G8_manyKillsAnywhere() {
        var kills = Integer.getInteger("belay.ledger.kills", NIGHTLY ? 300 : 8);
        var perKill = 12;
        var random = new Random(7);
        var payers = new ArrayList<Child>();
        for (var i = 0; i < 2; i++) {
            payers.add(payer("", 4));
        }
        payers.forEach(Child::awaitReady);
        Map<JobId, String> orders = new LinkedHashMap<>();
        for (var kill = 0; kill < kills; kill++) {
            var victim = random.nextInt(payers.size());
            var window = WINDOWS.get(random.nextInt(WINDOWS.size()));
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
            payers.set(victim, payer("", 4).awaitReady());
        }
        await().atMost(PATIENCE.plusSeconds(kills))
                .until(() ->
                        orders.keySet().stream().allMatch(id -> job(id).state().isFinal()));
        var allAsked = provider.asked();
        orders.forEach((id, order) -> {
            var job = job(id);
            long times = allAsked.getOrDefault(order, 0L);
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
