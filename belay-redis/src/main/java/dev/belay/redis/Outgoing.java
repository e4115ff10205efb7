package dev.belay.redis;

import static dev.belay.redis.RedisStore.ascii;

import dev.belay.redis.link.Script;
import dev.belay.redis.record.Followed;
import dev.belay.redis.record.Ids;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Follow-up jobs for other queues: kept in the settled queue in the step that settled, then forwarded by whoever comes. One
 * that is forwarded twice is accepted once: its id is remembered as a key is.
 */
final class Outgoing {

    private final RedisStore store;

    Outgoing(RedisStore store) {
        this.store = store;
    }

    /** Forwards what lies there. */
    void forward(String queue) {
        var key = store.keys(queue).key("outgoing");
        Map<byte[], byte[]> waiting = store.call(commands -> commands.hgetall(key));
        waiting.forEach((id, packed) -> {
            var followed = Followed.read(packed);
            if (followed != null) {
                accept(followed, id);
            }
            remove(key, id);
        });
    }

    private void accept(Followed followed, byte[] id) {
        store.register(followed.queue());
        var arguments = new ArrayList<byte[]>(List.of(
                ascii(store.settings().dedupWindow().toMillis()),
                ascii(Ids.job(id).toString())));
        arguments.addAll(followed.arguments());
        // One with a key may meet a holder of which it must be known whether it runs.
        var verdict = followed.isKeyed()
                ? store.runWithSessions(Script.FORWARD, followed.queue(), arguments)
                : store.run(Script.FORWARD, followed.queue(), List.of(), arguments);
        if (Replies.text(verdict.get(0)).equals("conflict")) {
            new AuditLog(store)
                    .write(
                            store.keys(followed.queue()).key("audit"),
                            "follow-up-conflict",
                            Ids.job(followed.parent()),
                            dev.belay.job.By.of(followed.worker()),
                            "follow-up " + Ids.job(id) + " for queue '" + followed.queue() + "' was dropped: its "
                                    + Replies.text(verdict.get(3)) + " is taken");
        }
    }

    private void remove(byte[] key, byte[] id) {
        store.<Long>call(commands -> commands.hdel(key, id));
    }
}
