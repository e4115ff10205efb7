package dev.belay.redis.fault;

import static dev.belay.redis.fault.Scene.WORK;
import static dev.belay.redis.fault.Scene.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.belay.broker.BrokerException;
import dev.belay.broker.JobQuery;
import dev.belay.job.By;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A server that is killed, loads, is full, blocked, a replica for a while, forgets its scripts, or comes back older. */
@SuppressWarnings("NullAway.Init") // set by each test
class ServerFaultTest {

    private static final String[] DURABLE = {"--save", "", "--appendonly", "yes", "--appendfsync", "always"};

    private Scene scene;

    @AfterEach
    void close() throws Exception {
        scene.close();
    }

    private void whileUnderLoad(int rounds, Runnable fault) throws Exception {
        scene.worker(10, (payload, context) -> {});
        try (var load = scene.new Load(scene.belay, 4)) {
            for (var round = 0; round < rounds; round++) {
                fault.run();
                load.awaitAccepted(20);
            }
            load.close();
            assertThat(load.refused).isEmpty();
            scene.awaitSucceeded(load.accepted);
            assertThat(scene.broker.admin().count(JobQuery.ALL.inQueue("mail"), Long.MAX_VALUE))
                    .isEqualTo(load.accepted.size());
        }
    }

    @Test
    void case101_forgottenScriptsAreSentAgain() throws Exception {
        scene = new Scene();
        whileUnderLoad(50, () -> scene.server.ask(commands -> commands.scriptFlush()));
        // Nothing failed, so nothing ran twice.
        assertThat(scene.effects.runs()).hasSize((int) scene.broker.admin().count(JobQuery.ALL, Long.MAX_VALUE));
    }

    @Test
    void G1_aKilledServerThatSyncsEachWriteLosesNothingAccepted() throws Exception {
        scene = new Scene(DURABLE);
        whileUnderLoad(5, () -> {
            scene.server.kill();
            scene.server.restart();
            scene.server.awaitAnswer();
        });
    }

    @Test
    void case106_whileTheServerLoadsItsDataAllWait() throws Exception {
        // It is told when to rewrite its log, and must not think of it itself in the same moment.
        scene = new Scene(
                "--save", "", "--appendonly", "yes", "--appendfsync", "always", "--auto-aof-rewrite-percentage", "0");
        var worker = scene.worker(4, (payload, context) -> {});
        // A server answers while it loads only every 2 MB.
        scene.server.ask(commands -> {
            for (var i = 0; i < 64; i++) {
                commands.set("ballast" + i, "x".repeat(1024 * 1024));
            }
            return commands.bgrewriteaof();
        });
        eventually(() -> assertThat(scene.server.info("persistence"))
                .contains("aof_rewrite_in_progress:0")
                .contains("aof_rewrite_scheduled:0"));
        scene.server.kill();
        var slow = scene.server.slowLoading("50000");
        eventually(() -> assertThat(worker.health().isHealthy()).isFalse());
        var id = scene.belay.enqueue(WORK.with("meanwhile")).id();
        slow.awaitAnswer();
        scene.awaitSucceeded(List.of(id));
        eventually(() -> assertThat(worker.health().isHealthy()).isTrue());
        scene.effects.assertOnce(List.of(id));
    }

    @Test
    void case106_whileTheServerIsBusyWithAScriptAllWait() throws Exception {
        scene = new Scene();
        var worker = scene.worker(4, (payload, context) -> {});
        scene.server.set("lua-time-limit", "100");
        var blocked = new Thread(() -> assertThatThrownBy(() -> scene.server.ask(
                        commands -> commands.eval("while true do end", io.lettuce.core.ScriptOutputType.INTEGER)))
                .hasMessageContaining("killed"));
        blocked.start();
        eventually(() -> assertThat(worker.health().isHealthy()).isFalse());
        var impatient = scene.client(scene.broker, Duration.ofMillis(200));
        assertThatThrownBy(() -> impatient.enqueue(WORK.with("never"))).isInstanceOf(BrokerException.class);
        scene.server.ask(commands -> commands.scriptKill());
        blocked.join();
        var id = scene.belay.enqueue(WORK.with("afterwards")).id();
        scene.awaitSucceeded(List.of(id));
        eventually(() -> assertThat(worker.health().isHealthy()).isTrue());
    }

    @Test
    void aServerThatIsAReplicaForAWhileRefusesAndIsWaitedFor() throws Exception {
        scene = new Scene();
        var worker = scene.worker(4, (payload, context) -> {});
        scene.server.ask(commands -> commands.replicaof("127.0.0.1", 1));
        eventually(() -> assertThat(worker.health().isHealthy()).isFalse());
        var impatient = scene.client(scene.broker, Duration.ofMillis(200));
        assertThatThrownBy(() -> impatient.enqueue(WORK.with("never")))
                .isInstanceOf(BrokerException.NotApplied.class)
                .hasMessageContaining("READONLY");
        scene.server.ask(commands -> commands.replicaofNoOne());
        var id = scene.belay.enqueue(WORK.with("afterwards")).id();
        scene.awaitSucceeded(List.of(id));
        scene.effects.assertOnce(List.of(id));
        eventually(() -> assertThat(worker.health().isHealthy()).isTrue());
    }

    @Test
    void case114_aFullServerRefusesJobsWholeAndFinishesThoseItHas() throws Exception {
        scene = new Scene();
        var gate = new CountDownLatch(1);
        scene.worker(2, (payload, context) -> gate.await());
        var running = scene.belay.enqueueAll(List.of(WORK.with("a"), WORK.with("b"))).stream()
                .map(answer -> answer.id())
                .toList();
        scene.effects.awaitStarts(2);
        var waiting = ids(scene, 20);
        scene.server.set("maxmemory", "1mb");
        var impatient = scene.client(scene.broker, Duration.ofMillis(300));
        assertThatThrownBy(() -> impatient.enqueueAll(List.of(WORK.with("c"), WORK.with("d"))))
                .isInstanceOf(BrokerException.NotApplied.class)
                .hasMessageContaining("OOM command not allowed");
        assertThatThrownBy(() -> impatient.enqueue(WORK.with("e").key("k")))
                .isInstanceOf(BrokerException.NotApplied.class);
        var admin = scene.broker.admin();
        assertThat(admin.count(JobQuery.ALL, Long.MAX_VALUE)).isEqualTo(22);
        // What keeps or shrinks what is stored works: settles, leases, heartbeats, cancels, prunes, reads.
        admin.cancel("mail", waiting.get(0), By.of("test"));
        gate.countDown();
        var others = new ArrayList<>(running);
        others.addAll(waiting.subList(1, waiting.size()));
        scene.awaitSucceeded(others);
        scene.effects.assertOnce(others);
        scene.broker.prune();
        scene.broker.reap();
        assertThat(scene.states(List.of(waiting.get(0)))).containsOnlyKeys(JobState.CANCELLED);
        scene.server.set("maxmemory", "0");
        scene.awaitSucceeded(List.of(scene.belay.enqueue(WORK.with("f")).id()));
    }

    @Test
    void case114_aServerThatCannotSaveRefusesAndIsWaitedFor() throws Exception {
        scene = new Scene("--save", "3600", "1", "--appendonly", "no", "--rdbcompression", "no");
        var gate = new CountDownLatch(1);
        var worker = scene.worker(2, (payload, context) -> gate.await());
        var id = scene.belay.enqueue(WORK.with("a")).id();
        scene.effects.awaitStarts(1);
        scene.server.removeDirectory();
        scene.server.ask(commands -> commands.bgsave());
        eventually(() -> assertThat(scene.server.info("persistence")).contains("rdb_last_bgsave_status:err"));
        var impatient = scene.client(scene.broker, Duration.ofMillis(300));
        assertThatThrownBy(() -> impatient.enqueue(WORK.with("b")))
                .isInstanceOf(BrokerException.NotApplied.class)
                .hasMessageContaining("MISCONF");
        gate.countDown();
        eventually(() -> assertThat(worker.health().isHealthy()).isFalse());
        scene.server.set("stop-writes-on-bgsave-error", "no");
        scene.awaitSucceeded(List.of(id));
        scene.effects.assertOnce(List.of(id));
    }

    @Test
    void aServerThatCameBackOlderConvergesByItself() throws Exception {
        scene = new Scene("--save", "3600", "1", "--appendonly", "no");
        var gate = new CountDownLatch(1);
        var worker = scene.worker(4, (payload, context) -> {
            if (payload.startsWith("held")) {
                gate.await(60, TimeUnit.SECONDS);
            }
        });
        var kept = ids(scene, 10);
        scene.awaitSucceeded(kept);
        scene.broker.admin().pause("mail", By.of("test"));
        var waiting = ids(scene, 20);
        scene.server.ask(commands -> commands.save());
        var snapshot = scene.server.directory().resolve("dump.rdb");
        var copy = Files.createTempFile("belay", ".rdb");
        Files.copy(snapshot, copy, StandardCopyOption.REPLACE_EXISTING);
        // After the snapshot: jobs are leased, run, finished, enqueued; tokens and numbers go on.
        scene.broker.admin().resume("mail", By.of("test"));
        scene.awaitSucceeded(waiting);
        var held = scene.belay.enqueue(WORK.with("held")).id();
        scene.effects.awaitStarts(held, 1);
        var later = ids(scene, 10);
        scene.awaitSucceeded(later);
        rollBack(snapshot, copy);
        // What the snapshot has of waiting jobs runs again; what came later is gone, as the table of the docs says.
        await().atMost(Scene.PATIENCE)
                .ignoreException(BrokerException.NotApplied.class)
                .until(() -> {
                    scene.broker.admin().resume("mail", By.of("test"));
                    return true;
                });
        gate.countDown();
        scene.awaitSucceeded(kept);
        scene.awaitSucceeded(waiting);
        eventually(() -> assertThat(worker.health().isHealthy()).isTrue());
        var fresh = ids(scene, 10);
        scene.awaitSucceeded(fresh);
        eventually(() -> assertThat(scene.broker
                        .admin()
                        .count(JobQuery.ALL.inState(JobState.RUNNING, JobState.READY), Long.MAX_VALUE))
                .isZero());
    }

    private void rollBack(Path snapshot, Path copy) throws Exception {
        scene.server.kill();
        Files.copy(copy, snapshot, StandardCopyOption.REPLACE_EXISTING);
        scene.server.restart();
        scene.server.awaitAnswer();
    }

    private static List<JobId> ids(Scene scene, int count) {
        var requests = new ArrayList<dev.belay.job.JobRequest<String>>();
        for (var i = 0; i < count; i++) {
            requests.add(WORK.with("job " + i));
        }
        return scene.belay.enqueueAll(requests).stream()
                .map(answer -> answer.id())
                .toList();
    }
}
