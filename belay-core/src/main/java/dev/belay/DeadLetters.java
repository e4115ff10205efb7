package dev.belay;

import dev.belay.broker.Broker;
import dev.belay.broker.BrokerAdmin;
import dev.belay.broker.DeadGroup;
import dev.belay.broker.JobDetail;
import dev.belay.broker.JobPage;
import dev.belay.broker.JobQuery;
import dev.belay.broker.Verdict;
import dev.belay.job.By;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import dev.belay.operation.MassOperation;
import dev.belay.operation.MassOperations;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The dead letters: jobs that failed for good and wait for a person or a rule. Whatever is done to one is written to the
 * audit log, with who and why. Thread-safe; made by {@link Belay#deadLetters}.
 *
 * <pre>{@code
 * var dead = belay.deadLetters();
 * dead.groups("mail", 20).forEach(System.out::println);
 * dead.replayAll(JobQuery.DEAD.ofType("send-receipt"), 200, By.of("ann", "the mail server is back"));
 * }</pre>
 */
public final class DeadLetters {

    private final BrokerAdmin admin;
    private final MassOperations operations;

    DeadLetters(Broker broker) {
        admin = broker.admin();
        operations = new MassOperations(broker);
    }

    /**
     * A page of dead letters, newest jobs first, without payloads.
     *
     * @param query which ones; its states are ignored
     * @param cursor the {@code next} of the page before; null for the first
     * @param limit jobs in a page, from 1
     */
    public JobPage list(JobQuery query, @Nullable String cursor, int limit) {
        return admin.list(dead(query), cursor, limit);
    }

    /** How many dead letters match; the states of the query are ignored. */
    public long count(JobQuery query) {
        return admin.count(dead(query), Long.MAX_VALUE);
    }

    /** Kinds of dead letters by (queue, type, error), most first. */
    public List<DeadGroup> groups(@Nullable String queue, int limit) {
        return admin.deadGroups(queue, limit);
    }

    /** One dead letter with payload and history; empty where there is no such job, or it is not dead (any more). */
    public Optional<JobDetail> show(@Nullable String queue, JobId id) {
        return admin.find(queue, id).filter(detail -> detail.job().state() == JobState.DEAD);
    }

    /**
     * Puts one back to work with a fresh budget.
     *
     * @return {@code Applied}, {@code Missing}, {@code Replaced}, {@code WrongState}, or {@code Conflict} where another
     *     job has its key
     */
    public Verdict replay(JobId id, By by) {
        return admin.replay(null, id, null, by);
    }

    /**
     * Puts all that match, and are dead now, back to work, each once. Returns at once; workers do it.
     *
     * @param query which ones; its states are ignored
     * @param rate at most so many a second; null for as fast as possible
     */
    public MassOperation replayAll(JobQuery query, @Nullable Integer rate, By by) {
        return operations.start(MassOperation.Kind.REPLAY, dead(query), rate, by);
    }

    /** Removes one; a tombstone stays in the audit log. {@code Applied}, {@code Missing}, {@code Replaced} or {@code WrongState}. */
    public Verdict discard(JobId id, By by) {
        var found = admin.find(null, id);
        if (found.isEmpty()) {
            // Tells a job that was replaced from one that never was; removes nothing.
            return admin.discard(null, id, 0L, by);
        }
        var job = found.get().job();
        // Only as it was seen: somebody may replay it at this moment, and then it may succeed.
        return job.state() == JobState.DEAD
                ? admin.discard(job.queue(), id, job.times().finishedAt(), by)
                : new Verdict.WrongState(job.state());
    }

    /** Removes all that match, and are dead now. As {@link #replayAll}. */
    public MassOperation discardAll(JobQuery query, @Nullable Integer rate, By by) {
        return operations.start(MassOperation.Kind.DISCARD, dead(query), rate, by);
    }

    /** How a mass operation is; empty where there is none, or it ended more than a week ago. */
    public Optional<MassOperation> operation(UUID id) {
        return operations.find(id);
    }

    /** All mass operations that run or ended within a week, newest first. */
    public List<MassOperation> operations() {
        return operations.list();
    }

    /** Calls a mass operation off; what it has done stays done. Empty where there is none. */
    public Optional<MassOperation> stop(UUID id, By by) {
        return operations.stop(id, by);
    }

    private static JobQuery dead(JobQuery query) {
        return query.inState(JobState.DEAD);
    }
}
