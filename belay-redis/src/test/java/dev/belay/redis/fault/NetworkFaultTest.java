package dev.belay.redis.fault;

import static dev.belay.redis.fault.Scene.WORK;
import static dev.belay.redis.fault.Scene.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.broker.BrokerException;
import dev.belay.broker.JobQuery;
import dev.belay.event.WorkerHealth;
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

    private Scene scene;

    @BeforeEach
    void open() throws Exception {
        scene = new Scene();
    }

    @AfterEach
    void close() throws Exception {
        scene.close();
    }

    private long stored() {
        return scene.broker.admin().count(JobQuery.ALL.inQueue("mail"), Long.MAX_VALUE);
    }

    @Test
    void case14_anEnqueueWhoseReplyIsLostIsSentAgainAndAcceptedOnce() {
        for (var i = 0; i < 20; i++) {
            scene.network.loseReplies(1);
            scene.belay.enqueue(WORK.with("job " + i));
        }
        assertThat(scene.network.repliesLeftToLose()).isZero();
        assertThat(stored()).isEqualTo(20);
    }

    @Test
    void anEnqueueThatStaysUnknownSaysSo() {
        var impatient = scene.client(scene.broker, Duration.ofMillis(500));
        scene.network.loseReplies(Integer.MAX_VALUE);
        assertThatThrownBy(() -> impatient.enqueue(WORK.with("lost")))
                .isInstanceOf(BrokerException.Unknown.class)
                .hasMessageContaining("it is not known whether job")
                .hasMessageContaining("enqueue the same request");
        scene.network.loseReplies(0);
        assertThat(stored()).isLessThanOrEqualTo(1);
    }

    @Test
    void case104_whileTheServerIsAwayCallsFailInTimeAndNothingOfThemComesLater() throws Exception {
        var impatient = scene.client(scene.broker, Duration.ofMillis(300));
        scene.network.cut();
        var refused = new AtomicInteger();
        var threads = new ArrayList<Thread>();
        for (var caller = 0; caller < 20; caller++) {
            var thread = new Thread(() -> {
                for (var i = 0; i < 5; i++) {
                    assertThatThrownBy(() -> impatient.enqueue(WORK.with("never")))
                            .isInstanceOf(BrokerException.NotApplied.class)
                            .hasMessageContaining("was not accepted into queue 'mail'")
                            .hasMessageContaining("can't be reached");
                    refused.incrementAndGet();
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (var thread : threads) {
            thread.join(60_000);
        }
        assertThat(refused).hasValue(100);
        scene.network.heal();
        scene.belay.enqueue(WORK.with("now"));
        assertThat(stored()).isEqualTo(1);
    }

    @Test
    void case105_resetsInTheMiddleOfRepliesMixNoAnswersUp() throws Exception {
        var wrong = new ConcurrentLinkedQueue<String>();
        scene.worker(20, (payload, context) -> {
            if (!isSound(payload)) {
                wrong.add(payload);
            }
        });
        var accepted = new ConcurrentLinkedQueue<dev.belay.job.JobId>();
        var over = new CountDownLatch(1);
        var threads = new ArrayList<Thread>();
        for (var caller = 0; caller < 50; caller++) {
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
        for (var reset = 0; reset < 100; reset++) {
            var before = accepted.size();
            scene.network.reset();
            eventually(() -> assertThat(accepted).hasSizeGreaterThan(before));
        }
        over.countDown();
        for (var thread : threads) {
            thread.join();
        }
        scene.awaitSucceeded(accepted);
        assertThat(wrong).isEmpty();
        assertThat(stored()).isEqualTo(accepted.size());
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
            scene.network.freeze();
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
        scene.network.delay(30);
        scene.worker(10, (payload, context) -> {});
        try (var load = scene.new Load(scene.belay, 5)) {
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
        scene.network.cut();
        eventually(() -> assertThat(worker.health().isHealthy()).isFalse());
        assertThat(worker.health().problems()).anyMatch(problem -> problem.contains("does not answer"));
        assertThat(worker.health().state()).isEqualTo(WorkerHealth.State.RUNNING);
        // Another worker's connection works: its reaper ends the session of the one that is cut off.
        var direct = scene.broker(scene.server.address(0));
        scene.worker(direct, 1, (payload, context) -> {});
        eventually(() -> assertThat(direct.admin().sessions()).hasSize(1));
        scene.network.heal();
        eventually(() -> assertThat(worker.health().isHealthy()).isTrue());
        eventually(() -> assertThat(direct.admin().sessions()).hasSize(2));
        var after = scene.belay.enqueue(WORK.with("after")).id();
        scene.awaitSucceeded(List.of(after));
    }

    @Test
    void lostRepliesOfAnyCallDoubleNoSuccess() throws Exception {
        scene.worker(10, (payload, context) -> {});
        try (var load = scene.new Load(scene.belay, 4)) {
            for (var round = 0; round < 40; round++) {
                scene.network.loseReplies(1);
                load.awaitAccepted(3);
            }
            load.close();
            scene.awaitSucceeded(load.accepted);
            assertThat(stored()).isEqualTo(load.accepted.size());
        }
    }
}
