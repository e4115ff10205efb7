package dev.belay.redis;

import static dev.belay.redis.RedisStore.ascii;
import static dev.belay.redis.Replies.bytes;
import static dev.belay.redis.Replies.list;
import static dev.belay.redis.Replies.number;
import static dev.belay.redis.Replies.text;

import dev.belay.broker.Broker.Death;
import dev.belay.broker.PromoteReply;
import dev.belay.broker.PruneReply;
import dev.belay.broker.ReapReply;
import dev.belay.job.DeadReason;
import dev.belay.job.JobState;
import dev.belay.redis.link.Script;
import dev.belay.redis.record.Ids;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * What any worker does for all: promotes what is due, takes back what dead workers held, removes what nobody keeps. A call
 * goes in several steps, as others wait while a script runs.
 */
final class Housekeeping {

    private static final int PROMOTE_BATCH = 1_000;
    private static final int RECLAIM_BATCH = 500;
    private static final int PRUNE_BATCH = 500;
    private static final int PRUNE_STEP = 50;

    private final RedisStore store;
    private final RandomGenerator random;
    private final Outgoing outgoing;

    Housekeeping(RedisStore store, RandomGenerator random) {
        this.store = store;
        this.random = random;
        this.outgoing = new Outgoing(store);
    }

    PromoteReply promote(String queue, Duration interval) {
        var promoted = 0;
        var deaths = new ArrayList<Death>();
        while (true) {
            var answer = store.run(
                    Script.PROMOTE, queue, List.of(), List.of(ascii(interval.toMillis()), ascii(promoted > 0 ? 1 : 0)));
            if (answer.isEmpty()) {
                return PromoteReply.TOO_SOON;
            }
            var some = (int) number(answer.get(0));
            promoted += some;
            deaths.addAll(Replies.deaths(queue, answer.get(2)));
            var due = number(answer.get(1));
            if (some == 0 || due != 0 || promoted >= PROMOTE_BATCH) {
                return new PromoteReply(promoted, Replies.due(due), List.copyOf(deaths));
            }
        }
    }

    ReapReply reap() {
        var settings = store.settings();
        boolean looked;
        var marked = 0;
        var ended = 0;
        var more = false;
        var reclaimed = new ArrayList<ReapReply.Reclaimed>();
        var queues = store.queues();
        looked = queues.isEmpty();
        for (var queue : queues) {
            boolean its;
            do {
                var answer = store.runWithSessions(
                        Script.REAP,
                        queue,
                        List.of(
                                ascii(settings.reapInterval().toMillis()),
                                ascii(settings.reapGrace().toMillis()),
                                ascii(store.connectionAge()),
                                ascii(seed())));
                looked |= number(answer.get(0)) == 1;
                marked += (int) number(answer.get(1));
                ended += (int) number(answer.get(2));
                its = number(answer.get(3)) == 1;
                list(answer.get(4)).forEach(one -> reclaimed.add(reclaimed(queue, list(one))));
            } while (its && reclaimed.size() < RECLAIM_BATCH);
            more |= its;
            if (reclaimed.size() >= RECLAIM_BATCH) {
                more = true;
                break;
            }
        }
        return new ReapReply(looked, marked, ended, List.copyOf(reclaimed), more);
    }

    private int seed() {
        synchronized (random) {
            return random.nextInt(1 << 30);
        }
    }

    private static ReapReply.Reclaimed reclaimed(String queue, List<Object> one) {
        var reason = text(one.get(5));
        return new ReapReply.Reclaimed(
                Ids.job(bytes(one.get(0))),
                queue,
                text(one.get(1)),
                number(one.get(2)),
                number(one.get(3)) == 1,
                JobState.valueOf(text(one.get(4))),
                reason.isEmpty() ? null : DeadReason.valueOf(reason));
    }

    PruneReply prune() {
        var settings = store.settings();
        var left = (long) PRUNE_BATCH;
        var removed = 0;
        var dropped = 0;
        var deaths = new ArrayList<Death>();
        for (var queue : store.queues()) {
            outgoing.forward(queue);
            if (left <= 0) {
                break;
            }
            long spent;
            do {
                var most = Math.min(PRUNE_STEP, left);
                var answer = store.run(
                        Script.PRUNE,
                        queue,
                        List.of(),
                        List.of(
                                ascii(settings.dedupWindow().toMillis()),
                                ascii(settings.auditRetention().toMillis()),
                                ascii(most)));
                removed += (int) number(answer.get(0));
                dropped += (int) number(answer.get(1));
                deaths.addAll(Replies.deaths(queue, answer.get(2)));
                spent = most - number(answer.get(3));
                left -= spent;
            } while (spent == PRUNE_STEP && left > 0);
        }
        return new PruneReply(removed, dropped, List.copyOf(deaths), left <= 0);
    }
}
