package dev.belay.tck;

import dev.belay.broker.Beat;
import dev.belay.broker.BeatReply;
import dev.belay.broker.Broker;
import dev.belay.broker.Lease;
import dev.belay.broker.LeaseReply;
import dev.belay.broker.LeaseRequest;
import dev.belay.broker.ReconcileReply;
import dev.belay.broker.Registration;
import dev.belay.broker.SessionSpec;
import dev.belay.broker.Settlement;
import dev.belay.broker.Verdict;
import dev.belay.job.JobError;
import dev.belay.job.JobState;
import dev.belay.job.NewJob;
import dev.belay.job.Outcome;
import dev.belay.job.SessionId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

/** A worker with one session, played by a test. Its calls are those that an engine would send, one for each method. */
public final class TestWorker {

    /** The lease duration of a test's worker, unless it asks for another. */
    public static final Duration LEASE = Duration.ofSeconds(30);

    private final Broker broker;
    private final SessionSpec spec;
    private final Registration registration;
    private final AtomicLong number = new AtomicLong();
    private volatile boolean dead;

    private TestWorker(Broker broker, SessionSpec spec) {
        this.broker = broker;
        this.spec = spec;
        registration = broker.register(spec);
    }

    /** Registers a session. */
    public static TestWorker register(Broker broker, SessionSpec spec) {
        return new TestWorker(broker, spec);
    }

    /** A session for a queue that knows the usual type. */
    public static SessionSpec spec(String queue) {
        return spec(queue, Map.of(JobBuilder.TYPE, 1));
    }

    public static SessionSpec spec(String queue, Map<String, Integer> types) {
        return spec(queue, LEASE, types);
    }

    public static SessionSpec spec(String queue, Duration lease, Map<String, Integer> types) {
        return new SessionSpec(SessionId.next(), queue, "host-1/4711", "1.0", 10, lease, types);
    }

    /** An error as an engine would store it. */
    public static JobError error(String errorClass, String message) {
        return new JobError(
                errorClass, message, errorClass + ": " + message + "\n\tat A.b(A.java:1)", "f-" + errorClass);
    }

    /** A failure that is tried again after a wait that the backoff gave. */
    public static Outcome.Retry retry(Duration delay) {
        return new Outcome.Retry(delay, false, error("java.io.IOException", "no answer"));
    }

    /** A success without a result, followed by other jobs. */
    @SuppressWarnings("NullAway") // the null result is allowed; the class file does not say so
    public static Outcome.Complete followedBy(NewJob... jobs) {
        return new Outcome.Complete(null, List.of(jobs));
    }

    public SessionId id() {
        return spec.id();
    }

    public SessionSpec spec() {
        return spec;
    }

    public Registration registration() {
        return registration;
    }

    /** From now on this worker sends no more heartbeats where tests let all living workers do so. */
    public void die() {
        dead = true;
    }

    public boolean isDead() {
        return dead;
    }

    /** The number that the next lease call will carry. */
    public long nextNumber() {
        return number.get() + 1;
    }

    /** The number of the newest lease call. */
    public long newestNumber() {
        return number.get();
    }

    /** The next lease request, to be sent by the test itself. */
    public LeaseRequest request(int slots) {
        return LeaseRequest.of(id(), number.incrementAndGet(), slots);
    }

    /** Sends the next lease request, changed as wished. */
    public LeaseReply ask(int slots, UnaryOperator<LeaseRequest> change) {
        return broker.lease(change.apply(request(slots)));
    }

    /** Sends the next lease request. */
    public LeaseReply ask(int slots) {
        return broker.lease(request(slots));
    }

    /** Sends the next lease request for a suspect. */
    public LeaseReply askSuspect() {
        return broker.lease(LeaseRequest.ofSuspect(id(), number.incrementAndGet()));
    }

    /** Leases up to that many jobs. */
    public List<Lease> lease(int slots) {
        var reply = ask(slots);
        if (reply.status() != LeaseReply.Status.OK) {
            throw new AssertionError("expected leases, but the status is " + reply.status());
        }
        return reply.leases();
    }

    /** Leases a job that must be there. */
    public Lease leaseOne() {
        return only(lease(1));
    }

    /** Leases a suspect that must be there. */
    public Lease leaseSuspect() {
        return only(askSuspect().leases());
    }

    private static Lease only(List<Lease> leases) {
        if (leases.size() != 1) {
            throw new AssertionError("expected one lease, but got " + leases);
        }
        return leases.get(0);
    }

    /** Settles a lease, its own or not. */
    public Verdict settle(Lease lease, Outcome outcome) {
        return broker.settle(lease.id().queue(), List.of(new Settlement(lease.id(), outcome, null)))
                .get(0);
    }

    /** Settles a lease that must still be held. */
    public Verdict.Applied settled(Lease lease, Outcome outcome) {
        var verdict = settle(lease, outcome);
        if (verdict instanceof Verdict.Applied applied) {
            return applied;
        }
        throw new AssertionError("expected " + outcome + " to be applied, but the verdict is " + verdict);
    }

    /** Completes a lease that must still be held. */
    public Verdict.Applied complete(Lease lease) {
        return settled(lease, Outcome.Complete.PLAIN);
    }

    /** Lets a lease that must still be held fail, to be tried again after a wait. */
    public Verdict.Applied fail(Lease lease, Duration delay) {
        return settled(lease, retry(delay));
    }

    /** Buries the job of a lease that must still be held. */
    public void bury(Lease lease) {
        var applied = settled(
                lease, new Outcome.Bury(dev.belay.job.DeadReason.BY_HANDLER, error("java.lang.Error", "hopeless")));
        if (applied.state() != JobState.DEAD) {
            throw new AssertionError("expected a buried job, but the verdict is " + applied);
        }
    }

    public Verdict begin(Lease lease) {
        return broker.begin(lease.id());
    }

    public BeatReply heartbeat() {
        return heartbeat(0);
    }

    /** @param lastCommand the number of the last command seen */
    public BeatReply heartbeat(long lastCommand) {
        return broker.heartbeat(List.of(new Beat(id(), lastCommand, Map.of()))).get(0);
    }

    /** Reconciles up to the newest lease call. */
    public ReconcileReply reconcile() {
        return broker.reconcile(id(), number.get());
    }

    /** Ends the session, as a stopping worker does. */
    public List<Broker.Death> end() {
        dead = true;
        return broker.endSessions(List.of(id()));
    }
}
