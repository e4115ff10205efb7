package dev.belay.tck.model;

import dev.belay.broker.Broker;
import dev.belay.broker.BrokerException;
import dev.belay.job.JobId;
import dev.belay.job.LeaseId;
import dev.belay.job.SessionId;
import dev.belay.tck.Bench;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * Two brokers that see the same calls at the same times, and what the operations need to know of them.
 *
 * <p>Time goes in units that are long beside the time that a run takes, and every wait and limit ends half a unit away
 * from the times of the steps: so a clock that runs while it is used makes no difference.
 */
final class World {

    /** The unit of time. */
    static final Duration UNIT = Duration.ofSeconds(1_000);

    static final List<String> QUEUES = List.of("mail", "reports");

    private static final int LOG = 25;

    final Random random;
    final List<JobId> ids = new ArrayList<>();
    final List<LeasePair> leases = new ArrayList<>();

    /** Numbers of the newest lease calls. */
    final Map<SessionId, Long> sessions = new LinkedHashMap<>();

    private final Bench bench;
    private final Broker real;
    private final Broker oracle;
    private final AtomicLong oracleTime;
    private final long seed;
    private final List<String> log = new ArrayList<>();
    private final long start;
    private long expectedNow;
    private boolean runs;
    private int step;

    /** One job's lease on both sides. */
    record LeasePair(LeaseId real, LeaseId oracle) {}

    World(Bench bench, Broker real, Broker oracle, AtomicLong oracleTime, long seed) {
        this.bench = bench;
        this.real = real;
        this.oracle = oracle;
        this.oracleTime = oracleTime;
        this.seed = seed;
        random = new Random(seed);
        start = real.admin().time();
        expectedNow = start;
        oracleTime.set(start);
    }

    void run(int steps) {
        var operations = Operations.all(this);
        try {
            new Setup(this).run();
            for (step = 1; step <= steps; step++) {
                oracleTime.set(real.admin().time());
                runs |= now() != expectedNow;
                operations.get(random.nextInt(operations.size())).run();
                compare(step % 10 == 0 || step == steps);
            }
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(
                    "seed " + seed + " fails at step " + step + "; again with -Dbelay.tck.model.seed=" + seed
                            + "\nthe newest operations:\n  "
                            + String.join("\n  ", log.subList(Math.max(0, log.size() - LOG), log.size())) + "\n" + e,
                    e);
        }
    }

    /** @param all whether to compare what takes long, too */
    private void compare(boolean all) {
        var views = new Views(this);
        assertEqual("jobs", views.jobs(real), views.jobs(oracle));
        assertEqual("queues", views.queues(real), views.queues(oracle));
        assertEqual("sessions", views.sessions(real), views.sessions(oracle));
        if (all) {
            assertEqual("details", views.details(real), views.details(oracle));
            assertEqual("statistics", views.statistics(real), views.statistics(oracle));
            assertEqual("dead groups", views.deadGroups(real), views.deadGroups(oracle));
            assertEqual(
                    "unknown types", real.admin().unknownTypes(), oracle.admin().unknownTypes());
            assertEqual("cells", views.cells(real), views.cells(oracle));
        }
    }

    void advance(int units) {
        note("advance " + units);
        var by = UNIT.multipliedBy(units);
        bench.advance(by);
        expectedNow += by.toMillis();
        oracleTime.set(real.admin().time());
    }

    /** Makes the same call on both sides and compares what they answered, as it is seen through {@code view}. */
    <T> T same(String what, Function<Broker, T> call, Function<T, ?> view) {
        return same(what, call, call, view);
    }

    /** As above, with calls that differ in their tokens. Returns the answer of the broker under test. */
    <T> T same(String what, Function<Broker, T> realCall, Function<Broker, T> oracleCall, Function<T, ?> view) {
        return both(what, realCall, oracleCall, view).real();
    }

    /** Both answers. */
    record Answers<T>(T real, T oracle) {}

    <T> Answers<T> both(
            String what, Function<Broker, T> realCall, Function<Broker, T> oracleCall, Function<T, ?> view) {
        note(what);
        var theirs = oracleCall.apply(oracle);
        var ours = realCall.apply(real);
        assertEqual(what, view.apply(ours), view.apply(theirs));
        return new Answers<>(ours, theirs);
    }

    /** Makes a call on both sides that both must refuse. */
    void refused(String what, Function<Broker, ?> call) {
        note(what + ", to be refused");
        for (var side : List.of(oracle, real)) {
            try {
                throw new AssertionError(what + " was not refused, but answered " + call.apply(side));
            } catch (BrokerException.Rejected e) {
                Objects.requireNonNull(e.getMessage());
            }
        }
    }

    private void note(String what) {
        log.add(step + ": " + what);
    }

    private static void assertEqual(String what, Object ours, Object theirs) {
        if (!ours.equals(theirs)) {
            throw new AssertionError(what + " differ:\n" + Difference.between("" + ours, "" + theirs));
        }
    }

    /**
     * A time as it is compared: to the millisecond where the clock stands still; to the nearest tenth of a unit where
     * it runs, since all times are whole tenths but for what the calls took, and that may count for or against them.
     */
    long time(long millis) {
        var tenth = UNIT.toMillis() / 10;
        return runs ? Math.floorDiv(millis - start + tenth / 2, tenth) : millis - start;
    }

    /** The time of the current step. */
    long now() {
        return oracleTime.get();
    }

    /** A wait of some units and a half. */
    Duration wait(int bound) {
        return UNIT.multipliedBy(random.nextInt(bound)).plus(UNIT.dividedBy(2));
    }

    String queue() {
        return QUEUES.get(random.nextInt(QUEUES.size()));
    }

    boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    /** Ids follow from the seed as well. */
    UUID uuid() {
        return new UUID(random.nextLong(), random.nextLong());
    }

    <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }
}
