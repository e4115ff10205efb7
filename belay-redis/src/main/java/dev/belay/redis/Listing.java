package dev.belay.redis;

import dev.belay.broker.JobPage;
import dev.belay.broker.JobQuery;
import dev.belay.job.Job;
import dev.belay.job.JobId;
import dev.belay.job.Limits;
import dev.belay.redis.record.CorruptRecordException;
import dev.belay.redis.record.Heads;
import dev.belay.redis.record.Hold;
import dev.belay.redis.record.Ids;
import io.lettuce.core.KeyValue;
import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Lists jobs, newest first, from the queues' lists of all jobs. A cursor names, for each queue, the number of the job that
 * was looked at last: so a page's end stays true while jobs come and go.
 */
final class Listing {

    /**
     * As many runs of jobs that were accepted one after the other are read from the server at a time: with up to 64 jobs each,
     * their heads keep it busy for less than a millisecond, whatever lies there.
     */
    private static final int RUNS = 4;

    /** The length of one job's entry in a run: number, id. */
    private static final int ENTRY = 24;

    /** A page without an index looks at no more; its cursor says how far it came. */
    private static final int LOOKS = 10_000;

    private final RedisStore store;
    private final Jobs jobs;

    Listing(RedisStore store, Jobs jobs) {
        this.store = store;
        this.jobs = jobs;
    }

    JobPage list(JobQuery query, @Nullable String cursor, int limit) {
        RedisBroker.checked(() -> Limits.range("limit", limit, 1, Integer.MAX_VALUE));
        var walk = new Walk(query, cursor);
        var found = new ArrayList<Job>();
        for (var looks = 0; found.size() < limit && looks < LOOKS; looks++) {
            var job = walk.next();
            if (job == null) {
                return new JobPage(List.copyOf(found), null);
            }
            if (matches(query, job)) {
                found.add(job);
            }
        }
        return new JobPage(List.copyOf(found), walk.isOver() ? null : walk.cursor());
    }

    long count(JobQuery query, long atMost) {
        var walk = new Walk(query, null);
        var count = 0L;
        for (var job = walk.next(); job != null && count < atMost; job = walk.next()) {
            count += matches(query, job) ? 1 : 0;
        }
        return count;
    }

    private static boolean matches(JobQuery query, Job job) {
        var times = job.times();
        var error = job.lastError();
        return any(query.type(), job.type())
                && (query.states().isEmpty() || query.states().contains(job.state()))
                && any(query.errorClass(), error == null ? null : error.errorClass())
                && any(query.errorFingerprint(), error == null ? null : error.fingerprint())
                && any(query.reason(), job.reason())
                && any(query.key(), job.key().value())
                && (query.tag() == null || job.options().tags().contains(query.tag()))
                && (query.finishedFrom() == null
                        || (times.finishedAt() != null && times.finishedAt() >= query.finishedFrom()))
                && (query.finishedTo() == null
                        || (times.finishedAt() != null && times.finishedAt() <= query.finishedTo()));
    }

    private static boolean any(@Nullable String wanted, @Nullable String is) {
        return wanted == null || Objects.equals(wanted, is);
    }

    /** Several queues, merged. */
    private final class Walk {
        private final List<Queue> queues = new ArrayList<>();

        Walk(JobQuery query, @Nullable String cursor) {
            var below = cursor == null ? Map.<String, Long>of() : Cursor.parse(cursor);
            for (var name : query.queue() == null ? store.queues() : List.of(query.queue())) {
                var start = cursor == null ? Long.MAX_VALUE : below.getOrDefault(name, 0L);
                queues.add(new Queue(name, start));
            }
        }

        @Nullable
        Job next() {
            Queue newest = null;
            Job newestJob = null;
            for (var queue : queues) {
                var job = queue.peek();
                if (job != null
                        && (newestJob == null
                                || job.times().createdAt() > newestJob.times().createdAt())) {
                    newest = queue;
                    newestJob = job;
                }
            }
            if (newest != null) {
                newest.take();
            }
            return newestJob;
        }

        boolean isOver() {
            return queues.stream().allMatch(queue -> queue.peek() == null);
        }

        String cursor() {
            var below = new LinkedHashMap<String, Long>();
            queues.forEach(queue -> below.put(queue.name, queue.below));
            return Cursor.text(below);
        }
    }

    /** The jobs of one queue, newest first. */
    private final class Queue {
        private final String name;
        private long below;
        private long fetchedTo;
        private final List<Found> fetched = new ArrayList<>();
        private int at;
        private boolean over;
        private @Nullable Map<JobId, Hold> inFlight;

        private record Found(long seq, Job job) {}

        /** Number and id of a job, as they lie in a run. */
        private record Place(long seq, byte[] id) {}

        Queue(String name, long below) {
            this.name = name;
            this.below = below;
            this.fetchedTo = below;
        }

        @Nullable
        Job peek() {
            while (at == fetched.size() && !over) {
                fetch();
            }
            return at == fetched.size() ? null : fetched.get(at).job;
        }

        void take() {
            below = fetched.get(at++).seq;
        }

        private void fetch() {
            fetched.clear();
            at = 0;
            var range = Range.from(Range.Boundary.including(new byte[0]), Range.Boundary.excluding(bytes(fetchedTo)));
            List<byte[]> runs = store.call(commands -> commands.zrevrangebylex(
                    store.keys(name).key("all"),
                    fetchedTo == Long.MAX_VALUE ? Range.unbounded() : range,
                    Limit.create(0, RUNS)));
            over = runs.size() < RUNS;
            var places = new ArrayList<Place>();
            runs.forEach(run -> addNewestFirst(run, places));
            if (places.isEmpty()) {
                return;
            }
            List<KeyValue<byte[], byte[]>> heads = store.call(commands -> commands.hmget(
                    store.keys(name).key("heads"),
                    places.stream().map(Place::id).toArray(byte[][]::new)));
            for (var i = 0; i < places.size(); i++) {
                var place = places.get(i);
                var head = heads.get(i);
                fetchedTo = place.seq;
                if (head.hasValue()) {
                    var job = job(Ids.job(place.id), head.getValue(), place.seq);
                    if (job != null) {
                        fetched.add(new Found(place.seq, job));
                    }
                }
            }
        }

        private void addNewestFirst(byte[] run, List<Place> places) {
            for (var entry = run.length - ENTRY; entry >= 0; entry -= ENTRY) {
                var seq = ByteBuffer.wrap(run, entry, Long.BYTES).getLong();
                if (seq < fetchedTo) {
                    places.add(new Place(seq, Arrays.copyOfRange(run, entry + Long.BYTES, entry + ENTRY)));
                }
            }
        }

        /** Null where the entry is of a job that was removed, and its id taken again. */
        private @Nullable Job job(JobId id, byte[] head, long seq) {
            var holds = inFlight;
            if (holds == null) {
                holds = jobs.inFlight(name);
                inFlight = holds;
            }
            try {
                var hold = holds.get(id);
                var job = Heads.job(name, id, head, hold, hold == null ? null : jobs.told(name, id));
                return Heads.seq(head) == seq ? job : null;
            } catch (CorruptRecordException e) {
                return Heads.salvage(name, id);
            }
        }

        private static byte[] bytes(long seq) {
            return ByteBuffer.allocate(8).putLong(seq).array();
        }
    }
}
