package dev.belay.redis;

import static dev.belay.redis.Replies.bytes;
import static dev.belay.redis.Replies.number;
import static dev.belay.redis.Replies.text;

import dev.belay.broker.JobDetail;
import dev.belay.broker.QueueSettings;
import dev.belay.broker.Verdict;
import dev.belay.job.Fingerprint;
import dev.belay.job.Job;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import dev.belay.job.LeaseId;
import dev.belay.job.NewJob;
import dev.belay.job.Payload;
import dev.belay.redis.record.CorruptRecordException;
import dev.belay.redis.record.Heads;
import dev.belay.redis.record.Histories;
import dev.belay.redis.record.Hold;
import dev.belay.redis.record.Ids;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Jobs as they are stored, read one by one. */
final class Jobs {

    private final RedisStore store;

    Jobs(RedisStore store) {
        this.store = store;
    }

    void checkPayload(NewJob job) {
        var most = store.settings().maxPayloadBytes();
        if (job.payload().size() > most) {
            throw RedisBroker.rejected(
                    "payload",
                    "must be at most " + most + " bytes, but is "
                            + job.payload().size() + " bytes (job " + job.id() + " of type " + job.type() + ")");
        }
    }

    /** What became of a job that was to be accepted. */
    Verdict accepted(NewJob job, List<Object> verdict) {
        var kind = text(verdict.get(0));
        if (kind.equals("applied")) {
            return new Verdict.Applied(JobState.valueOf(text(verdict.get(1))), null);
        }
        var holder = Ids.job(bytes(verdict.get(1)));
        var state = Replies.state(verdict.get(2));
        if (kind.equals("replaced")) {
            return new Verdict.Replaced(holder, state);
        }
        return kind.equals("duplicate")
                ? new Verdict.Duplicate(holder, state)
                : new Verdict.Conflict(holder, state, conflict(job, holder, verdict));
    }

    /** A verdict's holder may be running, which its head does not say: completes that, and answers whether it did. */
    boolean complete(String queue, List<Object> verdict) {
        var kind = text(verdict.get(0));
        var running = (kind.equals("duplicate") || kind.equals("conflict"))
                && isRunning(queue, Ids.job(bytes(verdict.get(1))), Replies.state(verdict.get(2)));
        if (running) {
            verdict.set(2, RedisStore.ascii(JobState.RUNNING.name()));
        }
        return running;
    }

    private static String conflict(NewJob job, JobId holder, List<Object> verdict) {
        var fingerprint = new Fingerprint(bytes(verdict.get(4)));
        var since = Instant.ofEpochMilli(number(verdict.get(5)));
        return text(verdict.get(3)).equals("key")
                ? "key '" + job.key().value() + "' of type '" + job.type() + "' is held by job " + holder
                        + " with fingerprint " + fingerprint + ", first seen " + since
                        + "; this request has fingerprint "
                        + job.key().fingerprint()
                : "id " + job.id() + " is taken by a job of type '" + text(verdict.get(6)) + "' with key '"
                        + text(verdict.get(7)) + "' and fingerprint " + fingerprint + ", first seen " + since
                        + "; this request is of type '" + job.type() + "' with key '"
                        + job.key().value() + "' and fingerprint " + job.key().fingerprint();
    }

    /** A head does not say that its job is running. */
    @Nullable
    JobState state(String queue, JobId id, @Nullable JobState said) {
        return isRunning(queue, id, said) ? JobState.RUNNING : said;
    }

    private boolean isRunning(String queue, JobId id, @Nullable JobState said) {
        return said != null && !said.isFinal() && hold(queue, id) != null;
    }

    /** Who holds a job; null where nobody does. */
    @Nullable
    Hold hold(String queue, JobId id) {
        for (var session : store.sessions(queue)) {
            var stored = field(store.keys(queue).flight(session), Ids.bytes(id));
            if (stored != null) {
                return Hold.parse(session, stored);
            }
        }
        return null;
    }

    boolean isHeld(LeaseId lease) {
        var stored = field(store.keys(lease.queue()).flight(lease.session()), Ids.bytes(lease.job()));
        return stored != null && Hold.parse(lease.session(), stored).token() == lease.token();
    }

    /** Everything in flight in a queue. */
    Map<JobId, Hold> inFlight(String queue) {
        var holds = new HashMap<JobId, Hold>();
        for (var session : store.sessions(queue)) {
            Map<byte[], byte[]> all =
                    store.call(commands -> commands.hgetall(store.keys(queue).flight(session)));
            all.forEach((id, stored) -> holds.put(Ids.job(id), Hold.parse(session, stored)));
        }
        return holds;
    }

    Optional<JobDetail> find(@Nullable String queue, JobId id) {
        for (var name : queue == null ? store.queues() : List.of(queue)) {
            var head = field(store.keys(name).key("heads"), Ids.bytes(id));
            if (head != null) {
                return Optional.of(detail(name, id, head));
            }
        }
        return Optional.empty();
    }

    private JobDetail detail(String queue, JobId id, byte[] head) {
        var keys = store.keys(queue);
        var field = Ids.bytes(id);
        var payload = field(keys.key("payloads"), field);
        var raw = field(keys.key("corrupt"), field);
        Job job;
        try {
            job = Heads.job(queue, id, head, hold(queue, id), told(queue, id));
            if (raw == null && payload != null && payload.length != job.payloadSize() && !job.isNewer()) {
                raw = payload;
            }
        } catch (CorruptRecordException e) {
            raw = head;
            job = Heads.salvage(queue, id);
        }
        var history = field(keys.key("histories"), field);
        return new JobDetail(
                job,
                raw != null || payload == null ? null : new Payload(payload, job.encoding(), job.schemaVersion()),
                field(keys.key("results"), field),
                history == null ? List.of() : Histories.entries(history),
                raw);
    }

    /** Progress that no settle has stored yet. */
    @Nullable
    String told(String queue, JobId id) {
        var stored = field(store.keys(queue).key("progress"), Ids.bytes(id));
        return stored == null ? null : RedisStore.text(stored);
    }

    /** The settings and counters of a queue. */
    Map<String, String> fields(String queue) {
        return store.texts(store.keys(queue).key("queue"));
    }

    QueueSettings settings(String queue) {
        return Settings.queue(fields(queue));
    }

    @SuppressWarnings("NullAway") // a field that is not there is answered with null
    byte @Nullable [] field(byte[] key, byte[] field) {
        return store.<byte[]>call(commands -> commands.hget(key, field));
    }
}
