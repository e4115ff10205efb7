package dev.belay.redis;

import static dev.belay.redis.RedisStore.ascii;
import static dev.belay.redis.Replies.bytes;
import static dev.belay.redis.Replies.list;
import static dev.belay.redis.Replies.number;
import static dev.belay.redis.Replies.text;

import dev.belay.broker.Broker.Death;
import dev.belay.broker.Lease;
import dev.belay.broker.LeaseReply;
import dev.belay.broker.LeaseRequest;
import dev.belay.broker.Settlement;
import dev.belay.job.DeadReason;
import dev.belay.job.LeaseId;
import dev.belay.job.Outcome;
import dev.belay.job.SessionId;
import dev.belay.redis.link.Script;
import dev.belay.redis.record.CorruptRecordException;
import dev.belay.redis.record.Entries;
import dev.belay.redis.record.Heads;
import dev.belay.redis.record.Hold;
import dev.belay.redis.record.Ids;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Hands jobs out: by a short script while all is as usual, else by one that knows every case. Thread-safe. */
final class Leasing {

    private static final int MOST = 100;

    /** What is gone can't be read, as a head can't that is too short. */
    private static final byte[] GONE = {};

    private final RedisStore store;
    private final Settling settling;

    /** Sessions whose last lease met something unusual: they don't try the short script in vain. */
    private final Set<SessionId> unusual = ConcurrentHashMap.newKeySet();

    Leasing(RedisStore store, Settling settling) {
        this.store = store;
        this.settling = settling;
    }

    LeaseReply lease(LeaseRequest request) {
        var session = request.session();
        var queue = store.queueOf(session);
        if (queue == null) {
            return ended(session);
        }
        var reply = step(queue, part(request, 0, 0), false);
        while (reply.status() == LeaseReply.Status.OK && reply.more() && !request.suspect()) {
            var bytes = reply.leases().stream()
                    .mapToLong(lease -> lease.payload().size())
                    .sum();
            var part = part(request, reply.leases().size(), bytes);
            if (part.slots() + part.extra() == 0 || bytes >= request.maxBytes()) {
                break;
            }
            var next = step(queue, part, true);
            reply = joined(reply, next);
            if (next.leases().isEmpty()) {
                break;
            }
        }
        return reply;
    }

    /** Much is leased in several steps of one call: others wait while a script runs. */
    private static LeaseRequest part(LeaseRequest whole, int leased, long bytes) {
        var slots = Math.max(0, whole.slots() - leased);
        var extra = Math.max(0, whole.extra() - Math.max(0, leased - whole.slots()));
        var first = Math.min(MOST, slots);
        return new LeaseRequest(
                whole.session(),
                whole.number(),
                first,
                Math.min(MOST - first, extra),
                Math.max(1, whole.maxBytes() - bytes),
                whole.suspect());
    }

    private static LeaseReply joined(LeaseReply one, LeaseReply next) {
        var leases = new ArrayList<>(one.leases());
        leases.addAll(next.leases());
        var deaths = new ArrayList<>(one.expired());
        deaths.addAll(next.expired());
        return new LeaseReply(
                one.status(),
                List.copyOf(leases),
                next.more(),
                next.suspectWaiting(),
                next.nextDue(),
                List.copyOf(deaths));
    }

    private LeaseReply step(String queue, LeaseRequest request, boolean goesOn) {
        var session = request.session();
        if (!request.suspect() && !unusual.contains(session)) {
            var answer = store.run(Script.LEASE_PLAIN, queue, List.of(session), arguments(request, goesOn));
            var status = text(answer.get(0));
            if (!status.equals("other")) {
                return answer.size() == 1 ? none(session, status) : plain(queue, session, answer);
            }
        }
        return any(queue, request, goesOn);
    }

    /** What both scripts take. */
    private static List<byte[]> arguments(LeaseRequest request, boolean goesOn) {
        return new ArrayList<>(List.of(
                Ids.bytes(request.session()),
                ascii(request.number()),
                ascii(request.slots()),
                ascii(request.extra()),
                ascii(request.maxBytes()),
                ascii(goesOn ? 1 : 0)));
    }

    private LeaseReply any(String queue, LeaseRequest request, boolean goesOn) {
        var session = request.session();
        var arguments = arguments(request, goesOn);
        arguments.add(ascii(request.suspect() ? 1 : 0));
        var answer = store.run(Script.LEASE, queue, List.of(session), arguments);
        if (answer.size() == 1) {
            return none(session, text(answer.get(0)));
        }
        if (number(answer.get(7)) == 1) {
            unusual.remove(session);
        } else {
            unusual.add(session);
        }
        var now = number(answer.get(2));
        var found = new Found(queue, session, now);
        for (var one : list(answer.get(1))) {
            var parts = list(one);
            found.add(bytes(parts.get(0)), bytes(parts.get(1)), (byte[]) parts.get(2), number(parts.get(3)));
        }
        return found.reply(
                LeaseReply.Status.valueOf(text(answer.get(0))),
                number(answer.get(3)) == 1,
                number(answer.get(4)) == 1,
                Replies.due(number(answer.get(5))),
                Replies.deaths(queue, answer.get(6)));
    }

    private LeaseReply plain(String queue, SessionId session, List<Object> answer) {
        var entries = list(answer.get(1)).stream().map(Replies::bytes).toList();
        var token = number(answer.get(2));
        var found = new Found(queue, session, number(answer.get(3)));
        var records = answer.size() > 6 ? List.of(list(answer.get(6)), list(answer.get(7))) : records(queue, entries);
        var payloads = records.get(1).iterator();
        for (var i = 0; i < entries.size(); i++) {
            var entry = entries.get(i);
            var head = records.get(0).get(i);
            var payload = Entries.isPayloadApart(entry) ? payloads.next() : null;
            found.add(Entries.id(entry), head == null ? GONE : bytes(head), (byte[]) payload, token + i);
        }
        return found.reply(
                LeaseReply.Status.OK, number(answer.get(4)) == 1, false, Replies.due(number(answer.get(5))), List.of());
    }

    /** The heads of what stood in line, and the payloads that lie apart. */
    private List<List<@Nullable Object>> records(String queue, List<byte[]> entries) {
        return store.fields(
                queue,
                List.of("heads", "payloads"),
                List.of(
                        entries.stream().map(Entries::id).toList(),
                        entries.stream()
                                .filter(Entries::isPayloadApart)
                                .map(Entries::id)
                                .toList()));
    }

    private LeaseReply none(SessionId session, String status) {
        return status.equals("ENDED") ? ended(session) : LeaseReply.none(LeaseReply.Status.valueOf(status));
    }

    private LeaseReply ended(SessionId session) {
        unusual.remove(session);
        return LeaseReply.none(LeaseReply.Status.ENDED);
    }

    /** What was leased. What can't be read of it is buried: the script looked at less. */
    private final class Found {
        private final String queue;
        private final SessionId session;
        private final long now;
        private final List<Lease> leases = new ArrayList<>();
        private final List<LeaseId> unreadable = new ArrayList<>();

        Found(String queue, SessionId session, long now) {
            this.queue = queue;
            this.session = session;
            this.now = now;
        }

        /** @param apart the payload, where it does not lie in the head */
        void add(byte[] idBytes, byte[] head, byte @Nullable [] apart, long token) {
            var id = Ids.job(idBytes);
            var lease = new LeaseId(queue, id, token, session);
            try {
                var stored = Heads.stored(queue, id, head, new Hold(session, token, now, 0), null);
                var ready = Objects.requireNonNullElse(stored.job().times().readyAt(), now);
                leases.add(new Lease(lease, stored.job(), stored.payload(apart), Math.max(0, now - ready)));
            } catch (CorruptRecordException e) {
                unreadable.add(lease);
            }
        }

        LeaseReply reply(
                LeaseReply.Status status, boolean more, boolean suspect, @Nullable Duration due, List<Death> deaths) {
            var all = new ArrayList<>(deaths);
            if (!unreadable.isEmpty()) {
                var bury = new Outcome.Bury(DeadReason.CORRUPT, null);
                settling.settle(
                        queue,
                        unreadable.stream()
                                .map(lease -> new Settlement(lease, bury, null))
                                .toList());
                unreadable.forEach(lease -> all.add(new Death(lease.job(), queue, "unknown", DeadReason.CORRUPT)));
            }
            return new LeaseReply(status, List.copyOf(leases), more, suspect, due, List.copyOf(all));
        }
    }
}
