package dev.belay.memory;

import dev.belay.broker.NamespaceSettings;
import dev.belay.job.InvalidInputException;
import dev.belay.job.JobId;
import dev.belay.job.Limits;
import dev.belay.job.NewJob;
import dev.belay.job.SessionId;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The whole state of one namespace. Every field is used only while {@link #lock} is held. */
final class Store {

    final ReentrantLock lock = new ReentrantLock();
    final String namespace;
    final InstantSource clock;
    final RandomGenerator random;

    final Map<String, QueueState> queues = new TreeMap<>();
    final Map<String, Statistics> statistics = new TreeMap<>();
    final Map<SessionId, SessionState> sessions = new LinkedHashMap<>();
    /** When each session id was registered, in that order: none is taken twice. */
    final LinkedHashMap<SessionId, Long> usedSessionIds = new LinkedHashMap<>();

    /** All jobs, newest first. */
    final TreeMap<Place, StoredJob> newestFirst = new TreeMap<>();

    final AuditLog audit = new AuditLog();
    final CellTable cells = new CellTable();
    final Signals signals = new Signals();

    NamespaceSettings settings;

    @Nullable
    Long lastReap;

    private long accepted;

    Store(String namespace, InstantSource clock, RandomGenerator random, NamespaceSettings settings) {
        this.namespace = namespace;
        this.clock = clock;
        this.random = random;
        this.settings = settings;
    }

    long now() {
        return clock.millis();
    }

    /** A queue that is, or becomes, known. */
    QueueState queue(String name) {
        var queue = queues.computeIfAbsent(Limits.name("queue", name), QueueState::new);
        queue.known = true;
        return queue;
    }

    /** A known queue. */
    @Nullable
    QueueState knownQueue(String name) {
        var queue = queues.get(name);
        return queue != null && queue.known ? queue : null;
    }

    /** A known queue of that name, or, without a name, all of them. */
    Collection<QueueState> knownQueues(@Nullable String name) {
        return queues.values().stream()
                .filter(queue -> queue.known && (name == null || name.equals(queue.name)))
                .toList();
    }

    /** The queue of a job that is stored. */
    QueueState queueOf(StoredJob job) {
        return queue(job.queue());
    }

    Statistics statistics(String queue) {
        return statistics.computeIfAbsent(queue, Statistics::new);
    }

    /** A session that is registered and has not ended. */
    @Nullable
    SessionState liveSession(SessionId id) {
        var session = sessions.get(id);
        return session != null && !session.ended ? session : null;
    }

    Stream<SessionState> liveSessions(String queue) {
        return sessions.values().stream()
                .filter(session -> !session.ended && session.spec.queue().equals(queue));
    }

    /** Whether a live session of the queue knows the kind. */
    boolean isKnown(String queue, TypeVersion kind) {
        return liveSessions(queue).anyMatch(session -> session.knows(kind));
    }

    @Nullable
    StoredJob job(@Nullable String queue, JobId id) {
        for (var known : knownQueues(queue)) {
            var job = known.jobs.get(id);
            if (job != null) {
                return job;
            }
        }
        return null;
    }

    StoredJob add(NewJob request, long now) {
        var job = new StoredJob(++accepted, request, now);
        queue(request.queue()).add(job);
        newestFirst.put(Place.of(job), job);
        return job;
    }

    void remove(StoredJob job) {
        queueOf(job).remove(job);
        newestFirst.remove(Place.of(job));
    }

    void checkPayload(NewJob job) {
        if (job.payload().size() > settings.maxPayloadBytes()) {
            throw new InvalidInputException(
                    "payload",
                    "must be at most " + settings.maxPayloadBytes() + " bytes, but is "
                            + job.payload().size() + " bytes (job " + job.id() + " of type " + job.type() + ")");
        }
    }

    /** The place of a job in lists, newest first: what a page's cursor names. Ids count as unsigned, as their text sorts. */
    record Place(long createdAt, JobId id, String queue) implements Comparable<Place> {

        private static final Comparator<Place> ORDER = Comparator.comparingLong(Place::createdAt)
                .thenComparing(place -> place.id.value().getMostSignificantBits(), Long::compareUnsigned)
                .thenComparing(place -> place.id.value().getLeastSignificantBits(), Long::compareUnsigned)
                .thenComparing(Place::queue)
                .reversed();

        static Place of(StoredJob job) {
            return new Place(job.createdAt, job.id(), job.queue());
        }

        @Override
        public int compareTo(Place other) {
            return ORDER.compare(this, other);
        }
    }
}
