package dev.belay.tck.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.belay.Belay;
import dev.belay.Worker;
import dev.belay.broker.Broker;
import dev.belay.broker.JobQuery;
import dev.belay.handler.Codecs;
import dev.belay.handler.JobHandler;
import dev.belay.job.Backoff;
import dev.belay.job.Job;
import dev.belay.job.JobId;
import dev.belay.job.JobRequest;
import dev.belay.job.JobState;
import dev.belay.job.JobType;
import dev.belay.job.RetryPolicy;
import dev.belay.tck.BrokerHarness;
import dev.belay.tck.BrokerSuite;
import dev.belay.tck.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * What all suites with real workers have: a client, workers on a {@link Wire} that can be cut, an effect counter, and what
 * the listeners were told. Workers are closed after each test, before the store is judged.
 */
@SuppressWarnings("NullAway.Init") // set before each test
public abstract class EngineSuite extends BrokerSuite {

    /** A second queue. */
    protected static final String OTHER_QUEUE = "reports";

    protected static final Codecs CODECS = Codecs.of(new TextCodec());

    /** Work that is tried again at once. */
    protected static final JobType<String> WORK = type(b -> b);

    /** How long a test waits for what must come. Only a way to fail. */
    protected static final Duration PATIENCE = Duration.ofSeconds(60);

    protected final Effects effects = new Effects();
    protected final Told told = new Told();
    protected Wire wire;
    protected Belay belay;

    private final List<AutoCloseable> open = new CopyOnWriteArrayList<>();
    private final List<Hold> holds = new CopyOnWriteArrayList<>();

    @Override
    protected Store open(BrokerHarness from) {
        return RunningStore.of(from.fresh());
    }

    @BeforeEach
    void prepare() {
        wire = new Wire();
        belay = client(broker);
    }

    @AfterEach
    protected void closeAll() throws Exception {
        wire.heal();
        wire.release();
        holds.forEach(Hold::open);
        for (var closeable : open) {
            closeable.close();
        }
    }

    // --- clients and workers ---

    /** A type named {@link #TYPE} in {@link #QUEUE}, retried at once, changed as wished. */
    protected static JobType<String> type(UnaryOperator<JobType.Builder<String>> change) {
        return change.apply(JobType.define(TYPE, String.class).queue(QUEUE).retry(RetryPolicy.with(Backoff.NONE)))
                .build();
    }

    protected Belay client(Broker on) {
        return closing(Belay.builder(on).codecs(CODECS).build());
    }

    /**
     * A worker on the wire, for a test to go on with. It beats and looks often, and its leases last long: nothing expires
     * because the machine is slow.
     */
    protected Worker.Builder define() {
        return define(wire.around(broker));
    }

    protected Worker.Builder define(Broker on) {
        return Worker.on(on)
                .name("tck-worker")
                .codecs(CODECS)
                .listen(told)
                .leaseDuration(Duration.ofSeconds(30))
                .heartbeat(Duration.ofMillis(100))
                .poll(Duration.ofMillis(50))
                .reconnectBackoff(Duration.ofMillis(100))
                .drainTimeout(Duration.ofSeconds(10))
                .withoutShutdownHook();
    }

    /** A worker whose leases last only a second, for tests in which they run out. See {@link #quickReaping}. */
    protected Worker.Builder shortLived(Broker on) {
        return define(on).leaseDuration(Duration.ofSeconds(1));
    }

    /** Dead workers are found within about a second after their leases ran out. */
    protected void quickReaping() {
        reaping(Duration.ofMillis(100), Duration.ofMillis(500));
    }

    /** Starts a worker, and waits until it is registered. */
    protected Worker start(Worker.Builder definition) {
        var worker = closing(definition.start());
        eventually(() -> assertThat(worker.health().problems()).isEmpty());
        return worker;
    }

    /** Starts a worker that serves {@link #QUEUE} with so many slots and counts what its handler does. */
    protected Worker serve(int slots, JobHandler<String> handler) {
        return start(define().queue(QUEUE, slots).handle(WORK, effects.count(handler)));
    }

    /** Closes something after the test, before the store is judged. */
    protected <C extends AutoCloseable> C closing(C closeable) {
        open.add(closeable);
        return closeable;
    }

    /** A place to wait; opened after the test at the latest. */
    protected Hold hold() {
        var hold = new Hold();
        holds.add(hold);
        return hold;
    }

    // --- jobs ---

    protected JobId enqueue(JobRequest<?> request) {
        return belay.enqueue(request).id();
    }

    protected JobId enqueue(String payload) {
        return enqueue(WORK.with(payload));
    }

    /** So many jobs of {@link #WORK}, in one call. */
    protected List<JobId> enqueueMany(int count) {
        return enqueueMany(WORK, count);
    }

    protected List<JobId> enqueueMany(JobType<String> type, int count) {
        var requests = IntStream.range(0, count)
                .mapToObj(i -> type.with("payload-" + i))
                .toList();
        return belay.enqueueAll(requests).stream().map(answer -> answer.id()).toList();
    }

    protected Job job(JobId id) {
        return admin.find(null, id)
                .orElseThrow(() -> new AssertionError("no job " + id))
                .job();
    }

    protected void awaitState(JobId id, JobState state) {
        eventually(() -> assertThat(job(id).state()).as("state of " + id).isEqualTo(state));
    }

    protected void awaitAll(Collection<JobId> ids, JobState state) {
        eventually(() -> assertThat(states(ids)).isEqualTo(Map.of(state, ids.size())));
    }

    protected void awaitAllFinal(Collection<JobId> ids) {
        eventually(() -> assertThat(states(ids).keySet()).allMatch(JobState::isFinal));
    }

    /**
     * The conservation check: each of these jobs, whose enqueue was answered with success, is listed in exactly one state.
     *
     * @return how many are in each state
     */
    protected Map<JobState, Integer> states(Collection<JobId> ids) {
        var found = new HashMap<JobId, JobState>();
        for (var state : JobState.values()) {
            for (var job : list(JobQuery.ALL.inState(state))) {
                found.put(job.id(), state);
            }
        }
        var counts = new EnumMap<JobState, Integer>(JobState.class);
        for (var id : ids) {
            // A job that changed its state between two listings is looked for by its id.
            var state = found.containsKey(id) ? found.get(id) : job(id).state();
            counts.merge(state, 1, Integer::sum);
        }
        return counts;
    }

    protected List<Job> list(JobQuery query) {
        var jobs = new ArrayList<Job>();
        String cursor = null;
        do {
            var page = admin.list(query, cursor, 1_000);
            jobs.addAll(page.jobs());
            cursor = page.next();
        } while (cursor != null);
        return jobs;
    }

    /** Moves the broker's clock: a worker that registers afterwards finds that its own differs. */
    @Override
    protected void advance(Duration by) {
        expectLog("clock differs from the broker's");
        super.advance(by);
    }

    // --- waiting ---

    protected static void eventually(ThrowingRunnable assertion) {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(5)).untilAsserted(assertion);
    }

    /** An assertion that must hold for some time, looked at often. For what must not happen. */
    protected static void steadily(Duration during, ThrowingRunnable assertion) {
        await().atMost(during.plus(PATIENCE))
                .during(during)
                .pollInterval(Duration.ofMillis(10))
                .failFast(assertion::run)
                .until(() -> true);
    }

    /** Declares the warnings of a worker whose calls get lost. */
    protected void expectFaults() {
        expectLog("The broker does not answer");
        expectLog("A heartbeat failed");
        expectLog("failed and is tried again");
        expectLog("could not be told");
    }

    /** Declares a warning that a test provokes. */
    protected void expectLog(String part) {
        bench.logs().expect(part);
    }
}
