package dev.belay.memory;

import dev.belay.broker.DeadGroup;
import dev.belay.job.JobError;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The dead letters of one queue by kind of error: how many there are now, and when each kind was first and last seen. */
final class DeadGroups {

    private static final int MESSAGE = 200;

    private final String queue;
    private final Map<Name, Group> groups = new HashMap<>();

    DeadGroups(String queue) {
        this.queue = queue;
    }

    void enter(StoredJob job) {
        if (job.isDead()) {
            groups.computeIfAbsent(Name.of(job), name -> new Group(finishedAt(job)))
                    .enter(job);
        }
    }

    void leave(StoredJob job) {
        if (job.isDead()) {
            Objects.requireNonNull(groups.get(Name.of(job))).count--;
        }
    }

    /** Those that have dead letters now. */
    Stream<DeadGroup> list() {
        return groups.entrySet().stream()
                .filter(entry -> entry.getValue().count > 0)
                .map(entry -> entry.getValue().view(queue, entry.getKey()));
    }

    /** Forgets kinds without dead letters that were last seen before a time. */
    void forget(long lastSeenBefore) {
        groups.values().removeIf(group -> group.count == 0 && group.lastSeen < lastSeenBefore);
    }

    void clear() {
        groups.clear();
    }

    private static long finishedAt(StoredJob job) {
        return Objects.requireNonNull(job.finishedAt);
    }

    private record Name(String type, String fingerprint) {
        static Name of(StoredJob job) {
            return new Name(job.type(), job.lastError == null ? "" : job.lastError.fingerprint());
        }
    }

    private static final class Group {
        final long firstSeen;
        long lastSeen;
        long count;
        String reason = "";

        @Nullable
        JobError error;

        Group(long firstSeen) {
            this.firstSeen = firstSeen;
        }

        void enter(StoredJob job) {
            count++;
            if (finishedAt(job) >= lastSeen) {
                lastSeen = finishedAt(job);
                reason = Objects.requireNonNull(job.reason);
                error = job.lastError;
            }
        }

        DeadGroup view(String queue, Name name) {
            return new DeadGroup(
                    queue,
                    name.type,
                    name.fingerprint,
                    reason,
                    error == null ? null : error.errorClass(),
                    error == null ? null : shortened(error.message()),
                    count,
                    firstSeen,
                    lastSeen);
        }

        private static String shortened(String message) {
            return message.codePointCount(0, message.length()) <= MESSAGE
                    ? message
                    : message.substring(0, message.offsetByCodePoints(0, MESSAGE)) + "…";
        }
    }
}
