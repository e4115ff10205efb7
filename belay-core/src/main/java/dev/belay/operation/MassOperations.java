package dev.belay.operation;

import dev.belay.broker.AuditEntry;
import dev.belay.broker.Broker;
import dev.belay.broker.BrokerAdmin;
import dev.belay.broker.JobQuery;
import dev.belay.job.By;
import dev.belay.job.InvalidInputException;
import dev.belay.job.JobState;
import dev.belay.job.Limits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Starts, watches and stops mass operations, and goes on with them. An operation lives in the store: it goes on, step by
 * step, as long as any worker or tool runs on that store, whichever program started it. Thread-safe.
 */
public final class MassOperations {

    /** How many jobs a second an operation may be asked to do at most. */
    public static final int MAX_RATE = 1_000_000;

    private static final long EXPECTED_AT_MOST = 1_000_000;

    private final BrokerAdmin admin;
    private final OperationCells cells;
    private final Stepper stepper;

    /** Works on the store of a broker, which it does not own. */
    public MassOperations(Broker broker) {
        admin = broker.admin();
        cells = new OperationCells(broker.cells());
        stepper = new Stepper(admin, cells);
    }

    /**
     * Starts an operation and returns at once: workers, and whoever calls {@link #step}, do the work.
     *
     * @param query which jobs; without states it means dead letters. A replay takes DEAD and CANCELLED jobs, a discard
     *     SUCCEEDED ones too
     * @param rate at most so many jobs a second, from 1; null for as fast as the broker takes them
     * @throws InvalidInputException where the query asks for jobs to which that can't be done, or the rate is out of range
     */
    public MassOperation start(MassOperation.Kind kind, JobQuery query, @Nullable Integer rate, By by) {
        var asked = query.states().isEmpty() ? query.inState(JobState.DEAD) : query;
        check(kind, asked.states());
        if (rate != null) {
            Limits.range("rate", rate, 1, MAX_RATE);
        }
        var now = admin.time();
        var expected =
                admin.count(asked.finished(asked.finishedFrom(), earlier(asked.finishedTo(), now)), EXPECTED_AT_MOST);
        var operation = new MassOperation(
                UUID.randomUUID(), kind, asked, by, now, rate, MassOperation.State.RUNNING, 0, 0, 0, expected, now);
        audit(operation, "operation-start", by);
        cells.create(StoredOperation.fresh(operation));
        return operation;
    }

    /** One operation; empty where there is none, or it ended more than a week ago. */
    public Optional<MassOperation> find(UUID id) {
        return cells.find(id).map(StoredOperation::operation);
    }

    /** All operations that run or ended within a week, newest first. */
    public List<MassOperation> list() {
        var byId = new LinkedHashMap<UUID, MassOperation>();
        var all = new ArrayList<>(
                cells.active().stream().map(OperationCells.Active::stored).toList());
        all.addAll(cells.finished());
        all.forEach(stored -> byId.put(stored.operation().id(), stored.operation()));
        return byId.values().stream()
                .sorted(Comparator.comparingLong(MassOperation::startedAt)
                        .reversed()
                        .thenComparing(MassOperation::id))
                .toList();
    }

    /**
     * Calls an operation off; what it has done stays done, and a job that is being worked on at this moment may still be.
     * One that has ended already stays as it is.
     *
     * @return how it is now; empty where there is none
     */
    public Optional<MassOperation> stop(UUID id, By by) {
        var told = false;
        while (true) {
            var active = cells.findActive(id);
            if (active.isEmpty()) {
                return find(id);
            }
            var stored = active.get().stored();
            if (stored.operation().state() != MassOperation.State.RUNNING) {
                return Optional.of(stored.operation());
            }
            if (!told) {
                audit(stored.operation(), "operation-stop", by);
                told = true;
            }
            var stopped = stored.with(stored.operation().withState(MassOperation.State.STOPPED, admin.time()));
            if (cells.replace(active.get(), stopped)) {
                return Optional.of(stopped.operation());
            }
        }
    }

    /**
     * Goes on with one operation, by a bounded number of jobs. Any number of programs may call it at the same time.
     *
     * @return how long to wait before the next call
     */
    public Duration step() {
        return stepper.step();
    }

    private void audit(MassOperation operation, String action, By by) {
        var rate = operation.rate();
        admin.writeAudit(new AuditEntry(
                0,
                action,
                operation.query().queue(),
                null,
                by,
                operation.kind() + " by operation " + operation.id() + " of about " + operation.expected() + " jobs"
                        + (rate == null ? "" : " at " + rate + " a second") + ": " + operation.query()));
    }

    private static void check(MassOperation.Kind kind, Set<JobState> states) {
        for (var state : states) {
            var allowed = kind == MassOperation.Kind.REPLAY
                    ? state == JobState.DEAD || state == JobState.CANCELLED
                    : state.isFinal();
            if (!allowed) {
                throw new InvalidInputException(
                        "states",
                        "a mass " + kind + " can't take " + state + " jobs; it can take "
                                + (kind == MassOperation.Kind.REPLAY
                                        ? "DEAD and CANCELLED"
                                        : "DEAD, CANCELLED and SUCCEEDED"));
            }
        }
    }

    private static long earlier(@Nullable Long a, long b) {
        return a == null ? b : Math.min(a, b);
    }
}
