package dev.belay.tck;

import dev.belay.broker.Broker;
import dev.belay.broker.BrokerAdmin.QueueView;
import dev.belay.broker.BrokerAdmin.SessionView;
import dev.belay.broker.JobQuery;
import dev.belay.job.DeadReason;
import dev.belay.job.Job;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import dev.belay.job.LeaseId;
import dev.belay.job.SessionId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What must hold of every store at any time, checked after every test:
 *
 * <ul>
 *   <li>each job is in exactly one state: the listings by state are disjoint and together they are the listing of all;
 *   <li>counts equal listings;
 *   <li>a running job is in the in-flight set of one registered session, and nothing else is in one;
 *   <li>fields fit the state, budgets are kept, no count is negative;
 *   <li>no token has fallen;
 *   <li>events balance (see {@link dev.belay.broker.Event}).
 * </ul>
 */
final class Invariants {

    private static final int PAGE = 1_000;

    private final Broker broker;
    private final Watch watch;
    private final boolean damaged;
    private final List<String> problems = new ArrayList<>();

    /** @param damaged whether records were damaged, so that types may have been lost */
    Invariants(Broker broker, Watch watch, boolean damaged) {
        this.broker = broker;
        this.watch = watch;
        this.damaged = damaged;
    }

    void check() {
        if (damaged) {
            // Whoever meets an unreadable record buries it, a listing too: let them all be met before counting.
            list(JobQuery.ALL);
        }
        var sessions = broker.admin().sessions();
        for (var queue : broker.admin().queues()) {
            var jobs = listings(queue);
            jobs.forEach(this::checkFields);
            checkInFlight(queue, jobs, sessions);
            new EventBalance(broker.admin(), queue.queue(), watch.replaced(queue.queue()), damaged)
                    .check(jobs, problems);
        }
        if (!problems.isEmpty()) {
            throw new AssertionError("the store breaks its invariants:\n  " + String.join("\n  ", problems));
        }
    }

    private List<Job> listings(QueueView queue) {
        var all = list(JobQuery.ALL.inQueue(queue.queue()));
        var seen = new HashMap<JobId, Job>();
        for (var job : all) {
            if (seen.put(job.id(), job) != null) {
                problems.add("listed twice: " + job.id());
            }
            if (!job.queue().equals(queue.queue())) {
                problems.add("listed in queue " + queue.queue() + ", but in another: " + job);
            }
        }
        var counts = new EnumMap<JobState, Integer>(JobState.class);
        for (var state : JobState.values()) {
            var listed = list(JobQuery.ALL.inQueue(queue.queue()).inState(state));
            counts.put(state, listed.size());
            listed.stream()
                    .filter(job -> job.state() != state || !seen.containsKey(job.id()))
                    .forEach(job -> problems.add("listed as " + state + ", but is " + job.state() + ": " + job.id()));
            if (queue.count(state) != listed.size()) {
                problems.add("queue " + queue.queue() + " counts " + queue.count(state) + " jobs as " + state
                        + ", but lists " + listed.size());
            }
        }
        if (counts.values().stream().mapToInt(Integer::intValue).sum() != all.size()) {
            problems.add("queue " + queue.queue() + " lists " + all.size() + " jobs, and by states " + counts);
        }
        return all;
    }

    private List<Job> list(JobQuery query) {
        var jobs = new ArrayList<Job>();
        String cursor = null;
        do {
            var page = broker.admin().list(query, cursor, PAGE);
            jobs.addAll(page.jobs());
            cursor = page.next();
        } while (cursor != null);
        return jobs;
    }

    private void checkFields(Job job) {
        var times = job.times();
        var running = job.state() == JobState.RUNNING;
        expect(running == (job.session() != null), "a session while running, and only then", job);
        expect(running == (times.leasedAt() != null), "leasedAt while running, and only then", job);
        expect(running || times.begunAt() == null, "begunAt only while running", job);
        expect(job.state().isFinal() == (times.finishedAt() != null), "finishedAt while final, and only then", job);
        expect(job.state() != JobState.READY || times.readyAt() != null, "readyAt while ready", job);
        if (job.state() == JobState.DEAD) {
            expect(isDeadReason(job.reason()), "a dead reason", job);
        } else {
            expect((job.state() == JobState.CANCELLED) == (job.reason() != null), "a reason while cancelled", job);
        }
        var counts = job.counts();
        expect(
                counts.failures() >= 0
                        && counts.failures() <= job.options().maxAttempts()
                        && counts.crashes() >= 0
                        && counts.crashes() <= job.options().maxCrashes(),
                "budgets kept",
                job);
        expect(
                counts.stepsTaken() >= 0 && counts.stepsTaken() <= counts.failures() + counts.crashes(),
                "at most as many steps as failures and crashes",
                job);
        expect(
                counts.deliveries() >= 0 && counts.snoozes() >= 0 && counts.releases() >= 0 && counts.replays() >= 0,
                "counts of 0 or more",
                job);
        var newest = watch.newestToken(job.queue(), job.id());
        // An id that was removed and accepted anew begins with token 0; its first lease is watched.
        expect(
                job.token() >= newest || counts.deliveries() == 0 || isCorrupt(job),
                "a token of at least " + newest,
                job);
    }

    private void checkInFlight(QueueView queue, List<Job> jobs, List<SessionView> sessions) {
        var running = jobs.stream()
                .filter(job -> job.state() == JobState.RUNNING)
                .collect(Collectors.toMap(Job::id, Function.identity(), (a, b) -> a));
        Map<SessionId, Long> bySession = running.values().stream()
                .filter(job -> job.session() != null)
                .collect(Collectors.groupingBy(Job::session, Collectors.counting()));
        var ours = sessions.stream()
                .filter(session -> session.spec().queue().equals(queue.queue()))
                .toList();
        var registered = ours.stream().map(session -> session.spec().id()).collect(Collectors.toSet());
        bySession.keySet().stream()
                .filter(session -> !registered.contains(session))
                .forEach(session -> problems.add("in flight of session " + session + ", which is not registered"));
        for (var session : ours) {
            var id = session.spec().id();
            if (session.inFlight() != bySession.getOrDefault(id, 0L)) {
                problems.add("session " + id + " counts " + session.inFlight() + " in flight, but "
                        + bySession.getOrDefault(id, 0L) + " jobs name it");
            }
            if (!session.ended()) {
                checkHeld(id, session.inFlight(), running);
            }
        }
        var live = ours.stream().filter(session -> !session.ended()).count();
        if (queue.liveSessions() != live) {
            problems.add(
                    "queue " + queue.queue() + " counts " + queue.liveSessions() + " live sessions, but lists " + live);
        }
    }

    /** Reconciling with number 0 fences nothing: numbers begin at 1. */
    private void checkHeld(SessionId session, int inFlight, Map<JobId, Job> running) {
        var held = broker.reconcile(session, 0).held();
        if (held.size() != inFlight || new HashSet<>(held).size() != inFlight) {
            problems.add("session " + session + " counts " + inFlight + " in flight, but holds " + held);
        }
        for (LeaseId lease : held) {
            var job = running.get(lease.job());
            if (job == null || job.token() != lease.token() || !lease.session().equals(job.session())) {
                problems.add("session " + session + " holds " + lease + ", but the job is " + job);
            }
        }
        if (broker.held(held).contains(false)) {
            problems.add("reconcile and held differ for " + held);
        }
    }

    private void expect(boolean holds, String what, Job job) {
        if (!holds) {
            problems.add("expected " + what + ": " + job);
        }
    }

    private static boolean isDeadReason(@org.jspecify.annotations.Nullable String reason) {
        return Arrays.stream(DeadReason.values()).anyMatch(known -> known.name().equals(reason));
    }

    private static boolean isCorrupt(Job job) {
        return DeadReason.CORRUPT.name().equals(job.reason());
    }
}
