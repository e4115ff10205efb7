package dev.belay.memory;

import dev.belay.broker.QueueSettings;
import dev.belay.broker.Verdict;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A queue: its jobs, the lines they stand in, and what is remembered beside them. */
final class QueueState {

    final String name;
    final Map<JobId, StoredJob> jobs = new HashMap<>();
    final Lines lines = new Lines();
    final DedupRows dedup = new DedupRows();
    final DeadGroups deadGroups;
    final UnknownKinds unknown = new UnknownKinds();

    /** The newest numbered enqueue of each client, in order of last calls. */
    final LinkedHashMap<UUID, ClientCall> clients = new LinkedHashMap<>();

    /** Which job took the place of a removed one. */
    final LinkedHashMap<JobId, Replacement> replaced = new LinkedHashMap<>();

    /** When unknown types were last promoted, as many times as the limit per second. */
    final ArrayDeque<Long> unknownPromotions = new ArrayDeque<>();

    QueueSettings settings = QueueSettings.DEFAULT;
    boolean paused;
    /** False after a removal: what is remembered beside the jobs (tokens, keys, calls) outlives the queue. */
    boolean known = true;

    long token;

    @Nullable
    Long lastPromotion;

    private final EnumMap<JobState, Long> counts = new EnumMap<>(JobState.class);

    QueueState(String name) {
        this.name = name;
        this.deadGroups = new DeadGroups(name);
    }

    void add(StoredJob job) {
        jobs.put(job.id(), job);
        enter(job);
    }

    void remove(StoredJob job) {
        leave(job);
        jobs.remove(job.id());
        dedup.jobRemoved(job);
    }

    /** The one way to change what decides a job's places: it leaves all of them, changes, and enters where it belongs. */
    void change(StoredJob job, Runnable change) {
        leave(job);
        change.run();
        enter(job);
    }

    /** What the removal of an empty queue takes with it. Tokens, keys and calls stay: nothing may come twice. */
    void forget() {
        known = false;
        paused = false;
        settings = QueueSettings.DEFAULT;
        deadGroups.clear();
        replaced.clear();
    }

    /** How many jobs are in each state; states without jobs are left out. */
    Map<JobState, Long> counts() {
        return Map.copyOf(counts);
    }

    private void enter(StoredJob job) {
        counts.merge(job.state, 1L, Long::sum);
        lines.enter(job);
        unknown.enter(job);
        deadGroups.enter(job);
    }

    private void leave(StoredJob job) {
        counts.compute(job.state, (state, count) -> count == null || count == 1 ? null : count - 1);
        lines.leave(job);
        unknown.leave(job);
        deadGroups.leave(job);
    }

    /** The newest numbered enqueue of a client, with its answers. */
    record ClientCall(long number, List<Verdict> verdicts, long at) {}

    /** What became of a job that was replayed with another payload. */
    record Replacement(JobId by, long at) {}
}
