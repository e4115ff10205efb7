package dev.belay.operation;

import dev.belay.broker.JobQuery;
import dev.belay.job.By;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Something done to many jobs: to each that the query matched and that was final when the operation was started, once,
 * the newest jobs first. What died after the start is not touched, whatever the query says.
 *
 * @param id names it, for watching and stopping
 * @param kind what is done to each job
 * @param query which jobs; only final ones
 * @param by who asked for it, and why
 * @param startedAt by the broker's clock, epoch milliseconds: jobs that became final later are left alone
 * @param rate at most so many jobs a second; null for as fast as the broker takes them
 * @param state where it is in its life
 * @param done jobs to which it was done
 * @param skipped jobs that were found changed in the meantime: replayed, replaced or discarded by someone else
 * @param refused jobs that could not be replayed because another job has their key
 * @param expected how many jobs the query matched at the start, counted up to a million
 * @param updatedAt when any of this last changed, by the broker's clock, epoch milliseconds
 */
public record MassOperation(
        UUID id,
        Kind kind,
        JobQuery query,
        By by,
        long startedAt,
        @Nullable Integer rate,
        State state,
        long done,
        long skipped,
        long refused,
        long expected,
        long updatedAt) {

    /** What is done to each job. */
    public enum Kind {
        /** Put back to work with a fresh budget. */
        REPLAY,
        /** Removed, with a tombstone in the audit log. */
        DISCARD
    }

    /** Where an operation is in its life. */
    public enum State {
        /** Under way, or waiting for a program to go on with it. */
        RUNNING,
        /** Final: every job was looked at. */
        DONE,
        /** Final: called off; what was done stays done. */
        STOPPED
    }

    MassOperation withState(State newState, long now) {
        return new MassOperation(id, kind, query, by, startedAt, rate, newState, done, skipped, refused, expected, now);
    }

    MassOperation plus(Tally tally, long now) {
        return new MassOperation(
                id,
                kind,
                query,
                by,
                startedAt,
                rate,
                state,
                done + tally.done(),
                skipped + tally.skipped(),
                refused + tally.refused(),
                expected,
                now);
    }

    /** The query as it is asked: without what became final after the start. */
    JobQuery effectiveQuery() {
        return query.finished(query.finishedFrom(), finishedBy());
    }

    /** The latest time at which a job may have become final to be touched. */
    long finishedBy() {
        var to = query.finishedTo();
        return to == null ? startedAt : Math.min(to, startedAt);
    }
}
