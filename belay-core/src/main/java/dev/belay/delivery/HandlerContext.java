package dev.belay.delivery;

import dev.belay.broker.Broker;
import dev.belay.broker.Lease;
import dev.belay.handler.Codecs;
import dev.belay.handler.JobContext;
import dev.belay.handler.JobSignal;
import dev.belay.job.Job;
import dev.belay.job.JobId;
import dev.belay.job.JobLinks;
import dev.belay.job.JobRequest;
import dev.belay.job.Limits;
import dev.belay.job.NewJob;
import dev.belay.job.Outcome;
import dev.belay.once.Claim;
import dev.belay.once.Effect;
import dev.belay.once.EffectCall;
import dev.belay.once.EffectException;
import dev.belay.once.SqlCall;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What a handler is handed, but for what depends on who runs it: its lease and its stop. Safe for use by many threads.
 * What is said after {@link #close} is ignored.
 */
public abstract class HandlerContext implements JobContext {

    /** Longer ones would not fit into a key beside the job's id. */
    private static final int STEP_NAME = 200;

    private final Lease lease;
    private final Codecs codecs;
    private final Broker broker;
    private final @Nullable LedgerAccess ledger;
    private final Set<String> underWay = ConcurrentHashMap.newKeySet();
    private final List<NewJob> followUps = new ArrayList<>();
    private byte @Nullable [] result;
    private boolean completed;
    private boolean closed;

    protected HandlerContext(Lease lease, Codecs codecs, Broker broker, @Nullable LedgerAccess ledger) {
        this.lease = lease;
        this.codecs = codecs;
        this.broker = broker;
        this.ledger = ledger;
    }

    @Override
    public final Job job() {
        return lease.job();
    }

    @Override
    public final int attempt() {
        return job().counts().attempt();
    }

    @Override
    public final int delivery() {
        return job().counts().deliveries();
    }

    @Override
    public final long token() {
        return lease.id().token();
    }

    @Override
    public final String idempotencyKey() {
        return job().key().value();
    }

    @Override
    public final void progress(String text) {
        Limits.text("progress", text, 0, Limits.PROGRESS_BYTES);
        Limits.bytes("progress", Limits.utf8Length(text), Limits.PROGRESS_BYTES);
        keepProgress(text);
    }

    /** Keeps valid progress: it travels with heartbeat and settle. */
    protected abstract void keepProgress(String text);

    @Override
    public final void result(Object value) {
        var bytes = codecs.encodeResult(value);
        synchronized (this) {
            checkNotCompleted("result");
            if (!closed) {
                result = bytes;
            }
        }
    }

    @Override
    public final JobId followUp(JobRequest<?> request) {
        var job = codecs.encode(request, new JobLinks(job().id(), null));
        Limits.bytes("payload", job.payload().size(), broker.settings().maxPayloadBytes());
        synchronized (this) {
            checkNotCompleted("followUp");
            if (!closed) {
                followUps.add(job);
            }
        }
        return job.id();
    }

    /** What is told too late must not get lost in silence. */
    private void checkNotCompleted(String what) {
        if (completed) {
            throw new IllegalStateException(
                    what + " was called after completeIn, which has written the job's success already: call it before");
        }
    }

    @Override
    public final void completeIn(Connection connection) throws SQLException {
        completeWith(connection, null);
    }

    @Override
    public final void completeIn(Connection connection, Object value) throws SQLException {
        completeWith(connection, codecs.encodeResult(value));
    }

    private void completeWith(Connection connection, byte @Nullable [] value) throws SQLException {
        Outcome.Complete outcome;
        synchronized (this) {
            if (closed) {
                throw new IllegalStateException(
                        "completeIn was called after the handler of job " + job().id() + " had returned: roll back");
            }
            outcome = completed(value == null ? result : value);
        }
        complete(connection, outcome);
        synchronized (this) {
            completed = true;
            result = outcome.result();
        }
    }

    /**
     * Completes the delivery within a transaction of the handler.
     *
     * @param connection which has to be in a transaction
     * @throws EffectException.Lost where the lease was lost
     */
    protected abstract void complete(Connection connection, Outcome.Complete outcome) throws SQLException;

    @Override
    public final <R> R once(Effect<R> effect, EffectCall<R> call) throws Exception {
        return mine(effect, scope(effect), (effects, claim) -> effects.once(effect, claim, this::mayAct, call));
    }

    @Override
    public final <R> R onceInTransaction(Effect<R> effect, SqlCall<R> call) throws Exception {
        return mine(
                effect, scope(effect), (effects, claim) -> effects.inTransaction(effect, claim, this::mayAct, call));
    }

    @Override
    public final <R> R onceInTransaction(Class<R> resultClass, SqlCall<R> call) throws Exception {
        return onceInTransaction(Effect.of(idempotencyKey(), resultClass), call);
    }

    @Override
    public final <R> R step(String name, Class<R> resultClass, Callable<R> call) throws Exception {
        Limits.text("step name", name, 1, STEP_NAME);
        var effect = Effect.of(job().id() + "/" + name, resultClass);
        var scope = broker.namespace() + "/" + job().queue() + "/steps";
        return mine(effect, scope, (effects, claim) -> effects.once(effect, claim, this::mayAct, key -> call.call()));
    }

    private String scope(Effect<?> effect) {
        var scope = effect.scope();
        return scope == null ? broker.namespace() + "/" + job().type() : scope;
    }

    private boolean mayAct() {
        synchronized (this) {
            if (closed) {
                return false;
            }
        }
        return !leaseLost();
    }

    /** What is done with a claim of this delivery. */
    private interface Making<R> {
        @Nullable
        R make(Effects effects, Claim claim) throws Exception;
    }

    /** The ledger tells deliveries apart, not the threads of one: that is done here. */
    @SuppressWarnings("NullAway") // null where the call answered null, as the context says
    private <R> R mine(Effect<R> effect, String scope, Making<R> making) throws Exception {
        if (ledger == null) {
            throw new IllegalStateException("this worker has no ledger to keep effect '" + effect.key()
                    + "' in: give it one, as in Worker.on(broker).ledger(Ledger.open(\"sqlite:belay.db\"))");
        }
        var effects = ledger.effects();
        var claim = effects.claim(effect, scope, ledger.owner(lease));
        if (!underWay.add(claim.name())) {
            throw new IllegalStateException("effect " + claim.name()
                    + " is under way in this delivery already: another thread of it, or an outer call, makes it");
        }
        try {
            return making.make(effects, claim);
        } finally {
            underWay.remove(claim.name());
        }
    }

    @Override
    public final JobSignal.Snooze snooze(Duration delay) {
        return new JobSignal.Snooze(delay);
    }

    @Override
    public final JobSignal.RetryAfter retryAfter(Duration delay, String why) {
        return new JobSignal.RetryAfter(delay, why);
    }

    @Override
    public final JobSignal.Bury bury(String why) {
        return new JobSignal.Bury(why);
    }

    /** The handler has returned. */
    public synchronized void close() {
        closed = true;
    }

    /** What a normal return means. */
    public final synchronized Outcome completed() {
        return completed(result);
    }

    private Outcome.Complete completed(byte @Nullable [] value) {
        return value == null && followUps.isEmpty() ? Outcome.Complete.PLAIN : new Outcome.Complete(value, followUps);
    }
}
