package dev.belay.tck;

import dev.belay.broker.Beat;
import dev.belay.broker.Broker;
import dev.belay.broker.BrokerAdmin;
import dev.belay.broker.Event;
import dev.belay.broker.NamespaceSettings;
import dev.belay.broker.PruneReply;
import dev.belay.broker.QueueSettings;
import dev.belay.broker.ReapReply;
import dev.belay.broker.SessionSpec;
import dev.belay.broker.StatisticsQuery;
import dev.belay.broker.Verdict;
import dev.belay.job.By;
import dev.belay.job.Job;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What all suites have: a fresh store, two nodes, a client, workers and a clock. Names are those of {@link JobBuilder}
 * unless said otherwise.
 */
@ExtendWith(BenchExtension.class)
@SuppressWarnings("NullAway.Init") // set by the extension, before each test
public abstract class BrokerSuite {

    protected static final String QUEUE = JobBuilder.QUEUE;
    protected static final String TYPE = JobBuilder.TYPE;
    protected static final By ANN = By.of("ann", "told so");

    protected BrokerHarness harness;
    protected Bench bench;
    protected Broker broker;
    protected BrokerAdmin admin;
    protected TestClient client;
    protected Patrol patrol;

    private final List<TestWorker> workers = new ArrayList<>();

    /** Opens the store of a test: a fresh one, unless a suite wants another kind. */
    protected Store open(BrokerHarness from) {
        return from.fresh();
    }

    void use(BrokerHarness chosen, Bench fresh) {
        harness = chosen;
        bench = fresh;
        connect();
    }

    private void connect() {
        broker = bench.broker();
        admin = broker.admin();
        client = new TestClient(broker);
        patrol = new Patrol(this);
    }

    /** Closes and opens the store, as a restart would; clients and sessions of before are still known by their ids. */
    protected void reopen() {
        bench.store().reopen();
        connect();
    }

    protected Broker secondNode() {
        return bench.secondNode();
    }

    // --- jobs ---

    protected static JobBuilder job() {
        return JobBuilder.job();
    }

    protected JobId accept(JobBuilder job) {
        return client.accept(job);
    }

    protected List<JobId> accept(int count) {
        return client.accept(count, job());
    }

    protected Job find(JobId id) {
        return admin.find(QUEUE, id)
                .orElseThrow(() -> new AssertionError("no job " + id + " in queue " + QUEUE))
                .job();
    }

    protected JobState state(JobId id) {
        return find(id).state();
    }

    /** The stored payload, as text. */
    protected String payload(JobId id) {
        var payload = admin.find(QUEUE, id).orElseThrow().payload();
        if (payload == null) {
            throw new AssertionError("no payload is kept of " + id);
        }
        return new String(payload.bytes(), StandardCharsets.UTF_8);
    }

    /** A job that its handler buried. */
    protected JobId dead(JobBuilder job) {
        var id = accept(job);
        var worker = worker(TestWorker.spec(job.build().queue()));
        worker.bury(worker.leaseOne());
        worker.end();
        return id;
    }

    protected static void applied(Verdict verdict) {
        if (!verdict.isApplied()) {
            throw new AssertionError("expected an applied call, but the verdict is " + verdict);
        }
    }

    // --- workers ---

    protected TestWorker worker() {
        return worker(QUEUE);
    }

    protected TestWorker worker(String queue) {
        return worker(TestWorker.spec(queue));
    }

    protected TestWorker worker(SessionSpec spec) {
        return worker(broker, spec);
    }

    protected TestWorker worker(Broker node, SessionSpec spec) {
        var worker = TestWorker.register(node, spec);
        workers.add(worker);
        return worker;
    }

    /** One heartbeat of each living worker. */
    protected void beat() {
        var beats = workers.stream()
                .filter(worker -> !worker.isDead())
                .map(worker -> new Beat(worker.id(), 0, Map.of()))
                .toList();
        if (!beats.isEmpty()) {
            broker.heartbeat(beats);
        }
    }

    /** Lets a worker die and the reaper take back what it held. */
    protected List<ReapReply.Reclaimed> crash(TestWorker worker) {
        return patrol.crash(worker);
    }

    /** Prunes until nothing is left to do, and adds up what was done. */
    protected PruneReply prune() {
        var sum = new PruneReply(0, 0, List.of(), true);
        while (sum.more()) {
            var reply = broker.prune();
            var expired = new ArrayList<>(sum.expired());
            expired.addAll(reply.expired());
            sum = new PruneReply(
                    sum.removed() + reply.removed(), sum.deadDropped() + reply.deadDropped(), expired, reply.more());
        }
        return sum;
    }

    // --- time and figures ---

    protected long now() {
        return admin.time();
    }

    protected void advance(Duration by) {
        bench.advance(by);
    }

    protected static Duration seconds(long value) {
        return Duration.ofSeconds(value);
    }

    /** Runs something and tells between which times of the broker's clock it ran. */
    protected <T> Timed<T> timed(Supplier<T> action) {
        var from = now();
        var value = action.get();
        return new Timed<>(value, from, now());
    }

    /** What was done between two times, both in epoch milliseconds and included. */
    protected record Timed<T>(T value, long from, long to) {}

    protected long events(Event event) {
        return admin.statistics(StatisticsQuery.TOTAL).stream()
                .filter(count -> count.event() == event)
                .mapToLong(dev.belay.broker.EventCount::count)
                .sum();
    }

    protected void reaping(Duration interval, Duration grace) {
        admin.configure(broker.settings().withReaping(interval, grace), ANN);
    }

    /** Removes succeeded jobs at once. */
    protected void keepNothing() {
        admin.configure(QUEUE, QueueSettings.DEFAULT.withFinished(Duration.ZERO, 0), ANN);
    }

    protected NamespaceSettings settings() {
        return broker.settings();
    }
}
