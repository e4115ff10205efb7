package dev.belay.tck.model;

import dev.belay.broker.Beat;
import dev.belay.broker.BeatReply;
import dev.belay.broker.Broker;
import dev.belay.broker.Command;
import dev.belay.broker.Lease;
import dev.belay.broker.LeaseReply;
import dev.belay.broker.LeaseRequest;
import dev.belay.broker.ReapReply;
import dev.belay.broker.SessionSpec;
import dev.belay.broker.Settlement;
import dev.belay.job.DeadReason;
import dev.belay.job.JobId;
import dev.belay.job.LeaseId;
import dev.belay.job.NewJob;
import dev.belay.job.Outcome;
import dev.belay.job.SessionId;
import dev.belay.tck.TestWorker;
import dev.belay.tck.model.World.LeasePair;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What workers do: sessions, leases, settles, and the passes that any of them makes. */
final class WorkerOperations {

    private static final int ALL = 1_000;
    private static final int MOST_SESSIONS = 6;

    private final World world;
    private final Views views;

    WorkerOperations(World world) {
        this.world = world;
        views = new Views(world);
    }

    void register() {
        if (world.sessions.size() >= MOST_SESSIONS) {
            return;
        }
        var known = new HashMap<String, Integer>();
        for (var type : List.of("a", "b", "c")) {
            if (world.chance(60)) {
                known.put(type, 1 + world.random.nextInt(2));
            }
        }
        var spec =
                new SessionSpec(new SessionId(world.uuid()), world.queue(), "worker", "1", 10, Setup.units(2.5), known);
        world.same(
                "register " + spec,
                broker -> broker.register(spec),
                reply -> reply.namespace() + " " + reply.queue() + " " + reply.paused());
        world.sessions.put(spec.id(), 0L);
    }

    void heartbeat() {
        var beats = world.sessions.keySet().stream()
                .filter(session -> world.chance(60))
                .map(session -> new Beat(session, world.random.nextInt(4), Map.of()))
                .toList();
        var replies = world.same(
                "heartbeat " + beats,
                broker -> broker.heartbeat(beats),
                answers -> answers.stream().map(WorkerOperations::beat).toList());
        for (var i = 0; i < replies.size(); i++) {
            if (replies.get(i).ended()) {
                world.sessions.remove(beats.get(i).session());
            }
        }
    }

    private static String beat(BeatReply reply) {
        return reply.ended() + " " + reply.paused() + " " + reply.quiet() + " " + reply.liveSessions() + " "
                + reply.commands().stream()
                        .map(command -> command instanceof Command.LeaseRevoked revoked
                                ? "revoked " + revoked.number() + " " + revoked.job()
                                : command.toString())
                        .toList();
    }

    /** All at once: so it does not matter in which order a broker sees jobs that are alike. */
    void leaseAll() {
        withSession(session -> lease("lease", LeaseRequest.of(session, nextNumber(session), ALL)));
    }

    /** Again and again until there is none: so it does not matter which comes first. */
    void leaseSuspects() {
        withSession(session -> {
            LeaseReply reply;
            var limit = 50;
            var real = new ArrayList<Lease>();
            var oracle = new ArrayList<Lease>();
            do {
                var request = LeaseRequest.ofSuspect(session, nextNumber(session));
                var answers = world.both(
                        "lease a suspect by " + session,
                        broker -> broker.lease(request),
                        broker -> broker.lease(request),
                        answer -> answer.status() + " " + answer.leases().size());
                reply = answers.real();
                real.addAll(reply.leases());
                oracle.addAll(answers.oracle().leases());
            } while (!reply.leases().isEmpty() && limit-- > 0);
            pair(real, oracle);
        });
    }

    void leaseWithOldNumber() {
        withSession(session -> {
            var number = Math.max(1, world.sessions.getOrDefault(session, 0L) - world.random.nextInt(2));
            lease("lease again", LeaseRequest.of(session, number, ALL));
            world.sessions.merge(session, number, Math::max);
        });
    }

    private void lease(String what, LeaseRequest request) {
        var answers = world.both(
                what + " " + request, broker -> broker.lease(request), broker -> broker.lease(request), views::lease);
        pair(answers.real().leases(), answers.oracle().leases());
    }

    private void pair(List<Lease> real, List<Lease> oracle) {
        Map<JobId, LeaseId> theirs = new HashMap<>();
        oracle.forEach(lease -> theirs.put(lease.job().id(), lease.id()));
        // In the order of their ids: a run must not depend on the order in which a broker answers.
        for (var lease : real.stream()
                .sorted(Comparator.comparing(one -> one.job().id()))
                .toList()) {
            var other = theirs.get(lease.job().id());
            if (other == null) {
                throw new AssertionError("leased only by the broker under test: " + lease);
            }
            world.leases.add(new LeasePair(lease.id(), other));
        }
    }

    void begin() {
        if (!world.leases.isEmpty()) {
            var lease = someLease();
            world.same(
                    "begin " + lease.real(),
                    broker -> broker.begin(lease.real()),
                    broker -> broker.begin(lease.oracle()),
                    Views::verdict);
        }
    }

    /** A recent lease, or, now and then, an old one that was lost or settled long ago. */
    private LeasePair someLease() {
        var recent = Math.max(0, world.leases.size() - 12);
        return world.chance(85)
                ? world.any(world.leases.subList(recent, world.leases.size()))
                : world.any(world.leases);
    }

    void settle() {
        if (world.leases.isEmpty()) {
            return;
        }
        var queue = someLease().real().queue();
        var chosen = new ArrayList<LeasePair>();
        var count = 1 + world.random.nextInt(4);
        for (var i = 0; i < count; i++) {
            var lease = someLease();
            if (lease.real().queue().equals(queue)) {
                chosen.add(lease);
            }
        }
        var outcomes = chosen.stream().map(lease -> outcome()).toList();
        world.same(
                "settle " + queue + " " + chosen + " " + outcomes,
                broker -> broker.settle(
                        queue, settlements(chosen.stream().map(LeasePair::real).toList(), outcomes)),
                broker -> broker.settle(
                        queue,
                        settlements(chosen.stream().map(LeasePair::oracle).toList(), outcomes)),
                Views::verdicts);
    }

    private static List<Settlement> settlements(List<LeaseId> leases, List<Outcome> outcomes) {
        var settlements = new ArrayList<Settlement>();
        for (var i = 0; i < leases.size(); i++) {
            settlements.add(new Settlement(leases.get(i), outcomes.get(i), i % 2 == 0 ? "progress" : null));
        }
        return settlements;
    }

    private Outcome outcome() {
        var delay = world.chance(40) ? java.time.Duration.ZERO : world.wait(4);
        var error = TestWorker.error("E" + world.random.nextInt(3), "message");
        return switch (world.random.nextInt(10)) {
            case 0, 1 -> Outcome.Complete.PLAIN;
            case 2 -> new Outcome.Complete(new byte[] {1, 2}, followUps());
            case 3, 4 -> new Outcome.Retry(delay, world.chance(30), error);
            case 5 -> new Outcome.Bury(DeadReason.NOT_RETRYABLE, error);
            case 6 -> new Outcome.Bury(DeadReason.BY_HANDLER, null);
            case 7 -> new Outcome.Release(world.chance(50));
            case 8 -> new Outcome.Snooze(delay, false);
            default -> new Outcome.Snooze(delay, true);
        };
    }

    private List<NewJob> followUps() {
        var jobs = new ArrayList<NewJob>();
        var count = world.random.nextInt(3);
        for (var i = 0; i < count; i++) {
            jobs.add(ClientOperations.job(world, world.queue()));
        }
        jobs.forEach(job -> world.ids.add(job.id()));
        return jobs;
    }

    void reconcile() {
        withSession(session -> {
            var number = Math.max(0, world.sessions.getOrDefault(session, 0L) + world.random.nextInt(3) - 1);
            world.same(
                    "reconcile " + session + " " + number,
                    broker -> broker.reconcile(session, number),
                    reply -> reply.number() + " " + reply.ended() + " "
                            + Views.sorted(reply.held(), lease -> lease.job().toString()));
            world.sessions.computeIfPresent(session, (id, newest) -> Math.max(newest, number));
        });
    }

    void endSession() {
        withSession(session -> {
            world.same(
                    "end " + session,
                    broker -> broker.endSessions(List.of(session)),
                    deaths -> Views.sorted(deaths, Object::toString));
            world.sessions.remove(session);
        });
    }

    void reap() {
        world.same("reap", this::reapAll, answer -> answer);
    }

    private String reapAll(Broker broker) {
        var first = broker.reap();
        var reclaimed = new ArrayList<>(first.reclaimed());
        for (var reply = first; reply.more(); ) {
            reply = broker.reap();
            reclaimed.addAll(reply.reclaimed());
        }
        return first.looked() + " marked " + first.marked() + " ended " + first.ended() + " "
                + Views.sorted(reclaimed, WorkerOperations::reclaimed);
    }

    private static String reclaimed(ReapReply.Reclaimed one) {
        return one.job() + " " + one.queue() + " " + one.type() + " " + one.counted() + " " + one.state() + " "
                + one.deadReason();
    }

    void promote() {
        var queue = world.queue();
        world.same(
                "promote " + queue,
                broker -> broker.promote(queue, Setup.units(0.7)),
                reply -> reply.promoted() + " " + Views.sorted(reply.expired(), Object::toString));
    }

    void prune() {
        world.same("prune", WorkerOperations::pruneAll, answer -> answer);
    }

    private static String pruneAll(Broker broker) {
        var removed = 0;
        var dropped = 0;
        var expired = new ArrayList<Broker.Death>();
        boolean more;
        do {
            var reply = broker.prune();
            removed += reply.removed();
            dropped += reply.deadDropped();
            expired.addAll(reply.expired());
            more = reply.more();
        } while (more);
        return removed + " " + dropped + " " + Views.sorted(expired, Object::toString);
    }

    private void withSession(java.util.function.Consumer<SessionId> action) {
        if (!world.sessions.isEmpty()) {
            action.accept(world.any(List.copyOf(world.sessions.keySet())));
        }
    }

    private long nextNumber(SessionId session) {
        return world.sessions.merge(session, 1L, Long::sum);
    }
}
