package dev.belay.redis;

import dev.belay.broker.AuditEntry;
import dev.belay.broker.AuditPage;
import dev.belay.job.By;
import dev.belay.job.JobId;
import dev.belay.job.Limits;
import dev.belay.redis.link.Script;
import dev.belay.redis.record.Audits;
import dev.belay.redis.record.Ids;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The audit log: a list for each queue, written in the step that it tells of, and one for what is about no queue. Newest
 * first over all of them; a cursor names, for each, how many entries from its beginning were not looked at.
 */
final class AuditLog {

    private static final int CHUNK = 200;

    /** What is about no queue. */
    private static final String NONE = "";

    private final RedisStore store;

    AuditLog(RedisStore store) {
        this.store = store;
    }

    void write(String action, @Nullable JobId job, By by, @Nullable String detail) {
        write(store.key("audit"), action, job, by, detail);
    }

    void write(AuditEntry entry) {
        var queue = entry.queue();
        if (queue != null) {
            RedisBroker.checked(() -> Limits.name("queue", queue));
            store.register(queue);
        }
        write(
                queue == null ? store.key("audit") : store.keys(queue).key("audit"),
                entry.action(),
                entry.job(),
                entry.by(),
                entry.detail());
    }

    void write(byte[] key, String action, @Nullable JobId job, By by, @Nullable String detail) {
        store.run(
                Script.AUDIT,
                key,
                List.of(
                        RedisStore.utf8(action),
                        job == null ? new byte[0] : Ids.bytes(job),
                        RedisStore.utf8(by.who()),
                        RedisStore.utf8(by.why()),
                        RedisStore.utf8(detail)));
    }

    AuditPage page(@Nullable JobId job, @Nullable String cursor, int limit) {
        RedisBroker.checked(() -> Limits.range("limit", limit, 1, Integer.MAX_VALUE));
        var below = cursor == null ? null : Cursor.parse(cursor);
        var tails = new ArrayList<Tail>();
        tails.add(new Tail(NONE, below));
        store.queues().forEach(queue -> tails.add(new Tail(queue, below)));
        var entries = new ArrayList<AuditEntry>();
        while (entries.size() < limit) {
            var newest = newest(tails);
            if (newest == null) {
                return new AuditPage(List.copyOf(entries), null);
            }
            var entry = newest.take();
            if (job == null || job.equals(entry.job())) {
                entries.add(entry);
            }
        }
        var more = false;
        for (var next = newest(tails); next != null && !more; next = newest(tails)) {
            more = job == null || job.equals(next.peekEntry().job());
            if (!more) {
                next.take();
            }
        }
        return new AuditPage(List.copyOf(entries), more ? cursor(tails) : null);
    }

    private static @Nullable Tail newest(List<Tail> tails) {
        Tail newest = null;
        for (var tail : tails) {
            if (tail.has() && (newest == null || tail.peekMicros() > newest.peekMicros())) {
                newest = tail;
            }
        }
        return newest;
    }

    private static String cursor(List<Tail> tails) {
        var below = new LinkedHashMap<String, Long>();
        tails.forEach(tail -> below.put(tail.queue, tail.below()));
        return Cursor.text(below);
    }

    /** The entries of one list, newest first. Numbers count from the list's beginning, those that were pruned included. */
    private final class Tail {
        private final String queue;
        private final byte[] key;
        private final long popped;
        private long end;
        private final List<AuditEntry> fetched = new ArrayList<>();
        private final List<Long> micros = new ArrayList<>();
        private int at;

        Tail(String queue, @Nullable Map<String, Long> below) {
            this.queue = queue;
            key = queue.equals(NONE) ? store.key("audit") : store.keys(queue).key("audit");
            popped = popped();
            long length = store.call(commands -> commands.llen(key));
            var all = popped + length;
            end = below == null ? all : Math.min(all, below.getOrDefault(queue, 0L));
        }

        private long popped() {
            if (queue.equals(NONE)) {
                return 0;
            }
            var stored = new Jobs(store).field(store.keys(queue).key("queue"), RedisStore.ascii("lpopped"));
            return stored == null ? 0 : Long.parseLong(RedisStore.text(stored));
        }

        boolean has() {
            while (at == fetched.size()) {
                var to = end - popped - 1;
                if (to < 0) {
                    return false;
                }
                var from = Math.max(0, to - CHUNK + 1);
                fetched.clear();
                micros.clear();
                at = 0;
                List<byte[]> found = store.call(commands -> commands.lrange(key, from, to));
                for (var i = found.size() - 1; i >= 0; i--) {
                    micros.add(Audits.micros(found.get(i)));
                    var entry = Audits.entry(queue.equals(NONE) ? null : queue, found.get(i));
                    fetched.add(
                            entry == null ? new AuditEntry(0, "unreadable", null, null, By.of("belay"), null) : entry);
                }
                if (found.isEmpty()) {
                    return false;
                }
            }
            return true;
        }

        AuditEntry peekEntry() {
            return fetched.get(at);
        }

        long peekMicros() {
            return micros.get(at);
        }

        AuditEntry take() {
            end--;
            return fetched.get(at++);
        }

        long below() {
            return end;
        }
    }
}
