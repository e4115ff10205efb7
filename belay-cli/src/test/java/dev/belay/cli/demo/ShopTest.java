package dev.belay.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.belay.Belay;
import dev.belay.broker.Broker;
import dev.belay.broker.BrokerAdmin;
import dev.belay.cli.demo.world.PaymentProvider;
import dev.belay.cli.demo.world.World;
import dev.belay.job.JobState;
import dev.belay.once.Ledger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The shop in this process, without a kill; then the same evidence, tampered with: the demo must notice. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ShopTest {

    private static final int ORDERS = 40;

    private World world;
    private Evidence evidence;

    @BeforeAll
    void run(@TempDir Path folder) throws Exception {
        var orders = Orders.read(ORDERS);
        Orders.unpackPictures(orders, Thumbnails.pictures(folder));
        world = new World(7);
        try (var broker = Broker.open("memory:shop-test");
                var belay = Belay.on(broker)) {
            var submitter = new Submitter(belay, orders);
            try (var ledger = Ledger.open(ShopWorker.ledger(folder));
                    var worker = ShopWorker.start(broker, ledger, "worker-1", world.address(), folder)) {
                submitter.run();
                await().atMost(Duration.ofSeconds(60)).until(() -> allFinal(broker.admin()));
            }
            evidence = Evidence.collect(orders, submitter, broker.admin(), world, folder, null, false, List.of(), true);
            // The folder goes when this is over: what the promises say of it is asked while it is there.
            report = DemoReport.of(evidence);
            Files.delete(Thumbnails.thumbnail(folder, "A1001"));
            withoutThumbnail = DemoReport.of(evidence);
        }
    }

    private DemoReport report;
    private DemoReport withoutThumbnail;

    @AfterAll
    void end() {
        world.close();
    }

    @Test
    void everyPromiseIsKept() {
        assertThat(report.brokenPromises()).isEmpty();
        assertThat(report.all().accepted()).isEqualTo(4 * ORDERS);
        assertThat(report.all().succeeded()).isEqualTo(4 * ORDERS - 2);
        assertThat(report.all().lost()).isZero();
        assertThat(report.dead())
                .extracting(DemoReport.DeadLetter::order, DemoReport.DeadLetter::reason)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("A1017", "NOT_RETRYABLE"),
                        org.assertj.core.groups.Tuple.tuple("A1029", "UNDECODABLE"));
        assertThat(report.charges().mostForOne()).isEqualTo(1);
        assertThat(evidence.duplicates()).isEqualTo(ORDERS / 10);
    }

    @Test
    void aMissingThumbnailIsNoticed() {
        assertThat(withoutThumbnail.brokenPromises()).singleElement().asString().contains("A1001", "160×120");
    }

    @Test
    void aLostJobIsNoticed() {
        var found = new HashMap<>(evidence.found());
        found.remove(found.keySet().iterator().next());
        assertThat(broken(with(
                        evidence, found, evidence.charges(), evidence.mails().size() > 0)))
                .anyMatch(text -> text.contains("none was lost"));
    }

    @Test
    void aSecondChargeIsNoticed() {
        var charges = new HashMap<>(evidence.charges());
        charges.put("another-key", new PaymentProvider.Counts("A1001", 1, 1, 1));
        assertThat(broken(with(evidence, evidence.found(), charges, true)))
                .anyMatch(text -> text.contains("order A1001 was charged 2 times"));
    }

    @Test
    void aChargeThatDiedWithItsProviderAndWasNotAskedForAgainIsNoticed() {
        assertThat(evidence.deaths())
                .extracting(PaymentProvider.Death::made)
                .as("died before, then after a charge was written")
                .containsExactly(false, true);
        var death = evidence.deaths().get(1);
        var charges = new HashMap<>(evidence.charges());
        charges.computeIfPresent(
                ShopJobs.chargeKey(death.order()),
                (key, counts) -> new PaymentProvider.Counts(counts.order(), counts.cents(), 1, 1));
        assertThat(broken(with(evidence, evidence.found(), charges, true)))
                .anyMatch(text -> text.contains(death.order()) && text.contains("was not asked for again"));
    }

    @Test
    void aMissingReceiptIsNoticed() {
        assertThat(broken(with(evidence, evidence.found(), evidence.charges(), false)))
                .anyMatch(text -> text.contains("the receipt of order"));
    }

    @Test
    void anUnexpectedDeathIsNoticed() {
        var found = new HashMap<>(evidence.found());
        var dead = found.values().stream()
                .flatMap(List::stream)
                .filter(job -> job.state() == JobState.DEAD)
                .findFirst()
                .orElseThrow();
        var victim = evidence.accepted().entrySet().stream()
                .filter(entry -> entry.getValue().order().equals("A1002"))
                .findFirst()
                .orElseThrow();
        found.put(victim.getKey(), List.of(dead));
        assertThat(broken(with(evidence, found, evidence.charges(), true)))
                .anyMatch(text -> text.contains("A1002") && text.contains("should have succeeded"));
    }

    private static List<String> broken(Evidence evidence) {
        return DemoReport.of(evidence).brokenPromises();
    }

    private static Evidence with(
            Evidence from,
            Map<dev.belay.job.JobId, List<dev.belay.job.Job>> found,
            Map<String, PaymentProvider.Counts> charges,
            boolean mails) {
        return new Evidence(
                from.orders(),
                from.accepted(),
                from.duplicates(),
                found,
                from.crashed(),
                from.times(),
                charges,
                mails ? from.mails() : Map.of(),
                from.crmNames(),
                from.world(),
                from.folder(),
                null,
                false,
                List.of(),
                true);
    }

    private static boolean allFinal(BrokerAdmin admin) {
        return List.of(JobState.SCHEDULED, JobState.READY, JobState.RUNNING).stream()
                .allMatch(state -> Progress.sum(admin.queues(), state) == 0);
    }
}
