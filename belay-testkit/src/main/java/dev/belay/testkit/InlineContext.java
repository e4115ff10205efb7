package dev.belay.testkit;

import dev.belay.broker.Lease;
import dev.belay.broker.TransactionalBroker;
import dev.belay.delivery.HandlerContext;
import dev.belay.delivery.LedgerAccess;
import dev.belay.handler.Codecs;
import dev.belay.job.Outcome;
import dev.belay.memory.MemoryBroker;
import dev.belay.once.EffectException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a handler is handed by a {@link TestBelay}. */
final class InlineContext extends HandlerContext {

    private final Lease lease;
    private final MemoryBroker broker;
    private final List<Runnable> lostCallbacks = new ArrayList<>();
    private @Nullable String progress;
    private boolean returned;

    InlineContext(Lease lease, MemoryBroker broker, Codecs codecs, LedgerAccess ledger) {
        super(lease, codecs, broker, ledger);
        this.lease = lease;
        this.broker = broker;
        this.progress = lease.job().progress();
    }

    /** Nobody tells this thread of a lost lease while it is busy, so the broker is asked. */
    @Override
    public boolean leaseLost() {
        var lost = !broker.held(List.of(lease.id())).get(0);
        List<Runnable> callbacks = List.of();
        synchronized (this) {
            if (lost) {
                callbacks = List.copyOf(lostCallbacks);
                lostCallbacks.clear();
            }
        }
        callbacks.forEach(Runnable::run);
        return lost;
    }

    @Override
    public boolean leaseUncertain() {
        return false;
    }

    @Override
    public void onLeaseLost(Runnable callback) {
        synchronized (this) {
            lostCallbacks.add(callback);
        }
        leaseLost();
    }

    @Override
    public boolean stopRequested() {
        return false;
    }

    /** Nothing is written: the run completes the job once the handler has returned, whatever became of the transaction. */
    @Override
    protected void complete(Connection connection, Outcome.Complete outcome) throws SQLException {
        TransactionalBroker.requireTransaction(connection);
        if (leaseLost()) {
            throw new EffectException.Lost(
                    idempotencyKey(), "the completion of job " + lease.id() + " was refused: its lease was lost");
        }
    }

    @Override
    protected synchronized void keepProgress(String text) {
        if (!returned) {
            progress = text;
        }
    }

    @Override
    public synchronized @Nullable String progress() {
        return progress;
    }

    @Override
    public void close() {
        // Runs what waits for a lost lease, if it was lost.
        leaseLost();
        synchronized (this) {
            returned = true;
        }
        super.close();
    }
}
