package dev.belay.broker;

import dev.belay.job.By;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import dev.belay.job.NewJob;
import dev.belay.job.SessionId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The administrative side of a store: for people and tools. Calls by id take an optional queue; without it all queues
 * are asked. What a person changes is written to the audit log in the same step. Safe for use by many threads.
 */
public interface BrokerAdmin {

    /** The broker's clock, epoch milliseconds. */
    long time();

    /** A job with all that is kept of it. */
    Optional<JobDetail> find(@Nullable String queue, JobId id);

    /** A page of jobs, newest first by (createdAt, id), without payloads. Stable while jobs come and go. */
    JobPage list(JobQuery query, @Nullable String cursor, int limit);

    /** How many jobs a query matches, counted up to {@code atMost}. */
    long count(JobQuery query, long atMost);

    /** Every known queue with its exact counts per state, in order of names. */
    List<QueueView> queues();

    /** Exact counts of events, summed per (queue, type, event), in a span of time slices. */
    List<EventCount> statistics(StatisticsQuery query);

    /** The merged histograms of a span of time slices. */
    List<TimesDelta> times(StatisticsQuery query);

    /** Registered sessions, those not yet emptied after their end included. */
    List<SessionView> sessions();

    /** Leaves a command for a session. {@code Applied} or {@code Missing}. */
    Verdict tell(SessionId session, Command.Kind command, By by);

    /**
     * Cancels a job that is not final; a running one at once. {@code Applied}, {@code Missing}, {@code Replaced},
     * {@code Busy} or {@code WrongState}.
     */
    Verdict cancel(@Nullable String queue, JobId id, By by);

    /** Makes a scheduled job ready now. {@code Applied}, {@code Missing}, {@code Replaced} or {@code WrongState}. */
    Verdict runNow(@Nullable String queue, JobId id, By by);

    /** Edits a job that is not final. {@code Applied}, {@code Missing}, {@code Replaced} or {@code WrongState}. */
    Verdict edit(@Nullable String queue, JobId id, JobEdit edit, By by);

    /**
     * Puts a dead or cancelled job back to work with a fresh budget.
     *
     * @param onlyIfFinishedBy replays it only if it became final no later than this, epoch milliseconds; null for any
     *     time. What makes a mass operation take each job once
     * @return {@code Applied}, {@code Missing}, {@code Replaced}, {@code WrongState}, or {@code Conflict} where another
     *     job has its key
     */
    Verdict replay(@Nullable String queue, JobId id, @Nullable Long onlyIfFinishedBy, By by);

    /**
     * Puts a dead or cancelled job back to work as a new one with another payload; the old one is removed, and its
     * tombstone names the new one. {@code replacement.links().replaces()} is {@code id}.
     */
    Verdict replace(@Nullable String queue, JobId id, NewJob replacement, By by);

    /** Removes a final job, with a tombstone in the audit log. As {@link #replay} for {@code onlyIfFinishedBy}. */
    Verdict discard(@Nullable String queue, JobId id, @Nullable Long onlyIfFinishedBy, By by);

    /** Pauses a queue: no lease call that begins after this returned takes a job from it. Makes the queue known. */
    void pause(String queue, By by);

    /** Ends a pause. Makes the queue known. */
    void resume(String queue, By by);

    /** Changes the settings of a queue. Makes the queue known. */
    void configure(String queue, QueueSettings settings, By by);

    /** Changes the settings of the namespace. */
    void configure(NamespaceSettings settings, By by);

    /** Removes a queue that has no jobs and no sessions. {@code Applied}, {@code Missing} or {@code Busy}. */
    Verdict removeQueue(String queue, By by);

    /** Dead letters by (queue, type, fingerprint), most first: what is dead now, with when the kind was first and last seen. */
    List<DeadGroup> deadGroups(@Nullable String queue, int limit);

    /** Writes an entry of the audit log that is not about one of the calls above. */
    void writeAudit(AuditEntry entry);

    /** The audit log, newest first. */
    AuditPage audit(@Nullable JobId job, @Nullable String cursor, int limit);

    /** Types of waiting jobs that no live session of their queue knows: (queue, type, version) → how many. */
    Map<UnknownType, Long> unknownTypes();

    /** What must hold of the store for the guarantees to hold, checked now. */
    List<StoreCheck> check();

    /** A type (with payload version) that nobody knows. */
    record UnknownType(String queue, String type, int schemaVersion) {}

    /** How many jobs of a queue are in each state. */
    record QueueView(
            String queue,
            boolean paused,
            QueueSettings settings,
            Map<JobState, Long> counts,
            int liveSessions,
            @Nullable Long oldestReadyAt) {

        /** The count of one state, 0 where none is. */
        public long count(JobState state) {
            return counts.getOrDefault(state, 0L);
        }
    }

    /**
     * A registered session.
     *
     * @param deadline by the broker's clock
     * @param markedAt when a reaper saw it past its deadline; null where none did
     * @param ended whether it has ended and is being emptied
     */
    record SessionView(
            SessionSpec spec,
            long registeredAt,
            long deadline,
            @Nullable Long markedAt,
            boolean ended,
            int inFlight) {}
}
