package dev.belay.redis;

import static dev.belay.redis.RedisStore.ascii;

import dev.belay.broker.Settlement;
import dev.belay.broker.Verdict;
import dev.belay.job.JobError;
import dev.belay.job.JobId;
import dev.belay.job.LeaseId;
import dev.belay.job.Moment;
import dev.belay.job.Outcome;
import dev.belay.job.SessionId;
import dev.belay.redis.link.Script;
import dev.belay.redis.record.Ids;
import dev.belay.redis.record.NewRecords;
import dev.belay.redis.record.Packed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Ends leases with an outcome. */
final class Settling {

    /** As many go into one script: others wait while it runs. */
    private static final int STEP = 50;

    private static final int PLAIN_STEP = 100;

    private final RedisStore store;
    private final Jobs jobs;
    private final Outgoing outgoing;

    Settling(RedisStore store, Jobs jobs) {
        this.store = store;
        this.jobs = jobs;
        this.outgoing = new Outgoing(store);
    }

    List<Verdict> settle(String queue, List<Settlement> settlements) {
        for (var settlement : settlements) {
            if (settlement.outcome() instanceof Outcome.Complete complete) {
                complete.followUps().forEach(jobs::checkPayload);
            }
        }
        var plain = arePlain(settlements);
        var step = plain ? PLAIN_STEP : STEP;
        var verdicts = new ArrayList<Verdict>(settlements.size());
        for (var from = 0; from < settlements.size(); from += step) {
            var some = settlements.subList(from, Math.min(settlements.size(), from + step));
            verdicts.addAll(plain ? plain(queue, some) : any(queue, some));
        }
        if (settlements.stream().anyMatch(settlement -> followsElsewhere(queue, settlement.outcome()))) {
            outgoing.forward(queue);
        }
        return List.copyOf(verdicts);
    }

    /** One session's plain successes: the short script knows what to do with nearly all of them. */
    private static boolean arePlain(List<Settlement> settlements) {
        var session = settlements.get(0).lease().session();
        var ids = new HashSet<JobId>(2 * settlements.size());
        for (var settlement : settlements) {
            if (!(settlement.outcome() instanceof Outcome.Complete complete)
                    || complete.result() != null
                    || !complete.followUps().isEmpty()
                    || settlement.progress() != null
                    || !settlement.lease().session().equals(session)
                    || !ids.add(settlement.lease().job())) {
                return false;
            }
        }
        return true;
    }

    private List<Verdict> plain(String queue, List<Settlement> settlements) {
        var session = settlements.get(0).lease().session();
        var arguments = new ArrayList<byte[]>(1 + 2 * settlements.size());
        arguments.add(Ids.bytes(session));
        for (var settlement : settlements) {
            arguments.add(Ids.bytes(settlement.lease().job()));
            arguments.add(Ids.token(settlement.lease().token()));
        }
        var answer = store.run(Script.SETTLE_PLAIN, queue, List.of(session), arguments);
        var ended = new Verdict.Applied(Replies.state(answer.get(0)), null);
        var verdicts = new ArrayList<Verdict>(Collections.nCopies(settlements.size(), ended));
        var others = Replies.list(answer.get(1)).stream()
                .map(position -> (int) Replies.number(position) - 1)
                .toList();
        if (!others.isEmpty()) {
            var their = any(queue, others.stream().map(settlements::get).toList());
            for (var i = 0; i < others.size(); i++) {
                verdicts.set(others.get(i), their.get(i));
            }
        }
        return List.copyOf(verdicts);
    }

    private List<Verdict> any(String queue, List<Settlement> settlements) {
        var sessions = new LinkedHashSet<SessionId>();
        settlements.forEach(settlement -> sessions.add(settlement.lease().session()));
        var order = new ArrayList<>(sessions);
        var packed = new ArrayList<@Nullable Object>();
        for (var settlement : settlements) {
            packed.add(
                    packed(queue, settlement, order.indexOf(settlement.lease().session()) + 1));
        }
        var settings = store.settings();
        var keyed = settlements.stream().anyMatch(settlement -> isFollowedByKeyed(queue, settlement.outcome()));
        var arguments = List.of(
                ascii(settings.dedupWindow().toMillis()),
                ascii(settings.unknownTypeLimit().toMillis()),
                Packed.bytes(packed),
                ascii(keyed ? 1 : 0));
        var answer = keyed
                ? store.runWithSessions(Script.SETTLE, queue, order, arguments)
                : store.run(Script.SETTLE, queue, order, arguments);
        var verdicts = new ArrayList<Verdict>();
        for (var i = 0; i < answer.size(); i++) {
            verdicts.add(verdict(settlements.get(i).lease(), Replies.list(answer.get(i))));
        }
        return List.copyOf(verdicts);
    }

    /** Whether a follow-up may meet a holder of its key of which it must be known whether it runs. */
    private static boolean isFollowedByKeyed(String queue, Outcome outcome) {
        return outcome instanceof Outcome.Complete complete
                && complete.followUps().stream()
                        .anyMatch(followUp ->
                                followUp.queue().equals(queue) && followUp.key().explicit());
    }

    private static boolean followsElsewhere(String queue, Outcome outcome) {
        return outcome instanceof Outcome.Complete complete
                && complete.followUps().stream()
                        .anyMatch(followUp -> !followUp.queue().equals(queue));
    }

    private Verdict verdict(LeaseId lease, List<Object> answer) {
        var kind = Replies.text(answer.get(0));
        if (kind.equals("stale")) {
            return Verdict.STALE;
        }
        var applied = Replies.applied(answer);
        return kind.equals("again") && applied instanceof Verdict.Applied now
                ? new Verdict.Applied(jobs.state(lease.queue(), lease.job(), now.state()), now.deadReason())
                : applied;
    }

    private List<@Nullable Object> packed(String queue, Settlement settlement, int session) {
        var lease = settlement.lease();
        var one = new ArrayList<@Nullable Object>(Arrays.asList(
                session,
                Ids.bytes(lease.session()),
                Ids.bytes(lease.job()),
                lease.token(),
                settlement.progress(),
                settlement.outcome().name()));
        one.addAll(values(queue, settlement.outcome()));
        return one;
    }

    private static List<@Nullable Object> values(String queue, Outcome outcome) {
        if (outcome instanceof Outcome.Complete complete) {
            var here = new ArrayList<Object>();
            var there = new ArrayList<Object>();
            for (var followUp : complete.followUps()) {
                if (followUp.queue().equals(queue)) {
                    here.add(NewRecords.arguments(followUp));
                } else {
                    there.add(List.of(NewRecords.arguments(followUp), followUp.queue()));
                }
            }
            var words = complete.followUps().isEmpty()
                    ? ""
                    : "a follow-up of " + complete.followUps().size() + " was dropped";
            return Arrays.asList(complete.result(), here, there, words);
        }
        if (outcome instanceof Outcome.Retry retry) {
            return Arrays.asList(
                    millis(retry.delay()), retry.explicitWait(), error(retry.error()), "wait " + retry.delay());
        }
        if (outcome instanceof Outcome.Bury bury) {
            return Arrays.asList(bury.reason().name(), bury.error() == null ? null : error(bury.error()));
        }
        if (outcome instanceof Outcome.Release release) {
            return Arrays.asList(release.running());
        }
        if (outcome instanceof Outcome.Snooze snooze) {
            return Arrays.asList(millis(snooze.delay()), snooze.unknownType());
        }
        throw new IllegalStateException("no rule for the outcome " + outcome);
    }

    private static long millis(Duration delay) {
        return new Moment.After(delay).resolve(0);
    }

    private static List<String> error(JobError error) {
        return List.of(error.errorClass(), error.message(), error.stack(), error.fingerprint());
    }
}
