package dev.belay.postgres.fault;

import static dev.belay.postgres.fault.Scene.WORK;
import static dev.belay.postgres.fault.Scene.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.broker.BrokerException;
import dev.belay.event.WorkerHealth;
import dev.belay.job.JobId;
import dev.belay.tck.fault.FaultProxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A bad network between Belay and the server: lost replies, resets, silence, delays, outages. */
@SuppressWarnings("NullAway.Init") // set before each test
class NetworkFaultTest {

    /** What the server answers to a commit, and to nothing else. */
    private static final String COMMITTED = "COMMIT\0";

    private OwnServer server;
    private FaultProxy network;
    private Scene scene;

    @BeforeEach
    void open() throws Exception {
        server = OwnServer.start();
        network = new FaultProxy(server.port());
        scene = new Scene(network.port(), 1);
    }

    @AfterEach
    void close() throws Exception {
        network.loseReplies(0);
        network.heal();
        scene.close();
        network.close();
        server.close();
    }

    @Test
    void case14_anEnqueueWhoseReplyIsLostIsSentAgainAndAcceptedOnce() {
        for (var i = 0; i < 20; i++) {
            // In turns, what comes before the commit and the answer to the commit itself.
            network.loseReplies(i % 2 == 0 ? COMMITTED : "", 1);
            scene.belay.enqueue(WORK.with("job " + i));
            assertThat(network.repliesLeftToLose()).isZero();
        }
        assertThat(scene.stored()).isEqualTo(20);
    }

    @Test
    void anEnqueueThatStaysUnknownSaysSo() {
        var impatient = scene.client(Duration.ofMillis(500));
        network.loseReplies(COMMITTED, Integer.MAX_VALUE);
        assertThatThrownBy(() -> impatient.enqueue(WORK.with("lost")))
                .isInstanceOf(BrokerException.Unknown.class)
                .hasMessageContaining("it is not known whether job")
                .hasMessageContaining("enqueue the same request");
        network.loseReplies(0);
        // Sent any number of times, each of them committed.
        assertThat(scene.stored()).isEqualTo(1);
    }

    @Test
    void case104_whileTheServerIsAwayCallsFailInTimeAndNothingOfThemComesLater() throws Exception {
        var impatient = scene.client(Duration.ofMillis(300));
        network.cut();
        var refused = new AtomicInteger();
        var threads = new ArrayList<Thread>();
        for (var caller = 0; caller < 20; caller++) {
            var thread = new Thread(() -> {
                for (var i = 0; i < 3; i++) {
                    assertThatThrownBy(() -> impatient.enqueue(WORK.with("never")))
                            .isInstanceOf(BrokerException.NotApplied.class)
                            .hasMessageContaining("was not accepted into queue 'mail'")
                            .hasMessageContaining("is the server up, and reachable");
                    refused.incrementAndGet();
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (var thread : threads) {
            thread.join(60_000);
        }
        assertThat(refused).hasValue(60);
        network.heal();
        scene.belay.enqueue(WORK.with("now"));
        assertThat(scene.stored()).isEqualTo(1);
    }

    @Test
    void case105_resetsInTheMiddleOfRepliesMixNoAnswersUp() throws Exception {
        var wrong = new ConcurrentLinkedQueue<String>();
        scene.worker(20, (payload, context) -> {
            if (!isSound(payload)) {
                wrong.add(payload);
            }
        });
        var accepted = new ConcurrentLinkedQueue<JobId>();
        var over = new CountDownLatch(1);
        var threads = new ArrayList<Thread>();
        for (var caller = 0; caller < 20; caller++) {
            var name = "caller " + caller;
            var thread = new Thread(() -> {
                for (var i = 0; over.getCount() > 0; i++) {
                    accepted.add(scene.belay
                            .enqueue(WORK.with(signed(name + " job " + i)))
                            .id());
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (var reset = 0; reset < 40; reset++) {
            var before = accepted.size();
            network.reset();
            eventually(() -> assertThat(accepted).hasSizeGreaterThan(before));
        }
        over.countDown();
        for (var thread : threads) {
            thread.join();
        }
        scene.awaitSucceeded(accepted);
        assertThat(wrong).isEmpty();
        assertThat(scene.stored()).isEqualTo(accepted.size());
    }

    /** Text with its own checksum. */
    private static String signed(String text) {
        var filled = text + " " + "x".repeat(new Random(text.hashCode()).nextInt(3_000));
        return checksum(filled) + ":" + filled;
    }

    private static boolean isSound(String payload) {
        var colon = payload.indexOf(':');
        return colon > 0 && payload.substring(0, colon).equals(checksum(payload.substring(colon + 1)));
    }

    private static String checksum(String text) {
        var crc = new CRC32();
        crc.update(text.getBytes(StandardCharsets.UTF_8));
        return Long.toHexString(crc.getValue());
    }

    @Test
    void case103_connectionsThatAnswerNothingAreReplacedBeforeALeaseRunsOut() throws Exception {
        var gate = new CountDownLatch(1);
        scene.worker(4, (payload, context) -> {
            if (payload.equals("long")) {
                gate.await();
            }
        });
        var held = scene.belay.enqueue(WORK.with("long")).id();
        scene.effects.awaitStarts(1);
        for (var round = 0; round < 3; round++) {
            network.freeze();
            // By new connections: for the client, for leases, for heartbeats.
            var next = scene.belay.enqueue(WORK.with("round " + round)).id();
            scene.awaitSucceeded(List.of(next));
        }
        gate.countDown();
        scene.awaitSucceeded(List.of(held));
        scene.effects.assertOnce(List.of(held));
    }

    @Test
    void aSlowNetworkOnlyMakesThingsSlow() throws Exception {
        network.delay(30);
        scene.worker(10, (payload, context) -> {});
        try (var load = scene.new Load(5)) {
            load.awaitAccepted(30);
            load.close();
            scene.awaitSucceeded(load.accepted);
            scene.effects.assertOnce(load.accepted);
            assertThat(load.refused).isEmpty();
        }
    }

    @Test
    void G4_aWorkerComesBackByItselfFromAnOutageLongerThanItsLease() throws Exception {
        var worker = scene.worker(4, (payload, context) -> {});
        var before = scene.belay.enqueue(WORK.with("before")).id();
        scene.awaitSucceeded(List.of(before));
        network.cut();
        eventually(() -> assertThat(worker.health().isHealthy()).isFalse());
        assertThat(worker.health().problems()).anyMatch(problem -> problem.contains("does not answer"));
        assertThat(worker.health().state()).isEqualTo(WorkerHealth.State.RUNNING);
        // Another worker's connection works: its reaper ends the session of the one that is cut off.
        var direct = scene.broker(server.port());
        scene.worker(direct, 1, (payload, context) -> {});
        eventually(() -> assertThat(direct.admin().sessions()).hasSize(1));
        network.heal();
        eventually(() -> assertThat(worker.health().isHealthy()).isTrue());
        eventually(() -> assertThat(direct.admin().sessions()).hasSize(2));
        var after = scene.belay.enqueue(WORK.with("after")).id();
        scene.awaitSucceeded(List.of(after));
    }

    @Test
    void lostRepliesOfAnyCallDoubleNoSuccess() throws Exception {
        scene.worker(10, (payload, context) -> {});
        try (var load = scene.new Load(4)) {
            for (var round = 0; round < 40; round++) {
                network.loseReplies(round % 2 == 0 ? COMMITTED : "", 1);
                load.awaitAccepted(3);
            }
            load.close();
            assertThat(load.refused).isEmpty();
            scene.awaitSucceeded(load.accepted);
            assertThat(scene.stored()).isEqualTo(load.accepted.size());
        }
    }
}
