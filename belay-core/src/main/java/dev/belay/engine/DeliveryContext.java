package dev.belay.engine;

import dev.belay.broker.Settlement;
import dev.belay.broker.TransactionalBroker;
import dev.belay.broker.Verdict;
import dev.belay.delivery.HandlerContext;
import dev.belay.job.Outcome;
import dev.belay.once.EffectException;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** What a handler is handed. */
final class DeliveryContext extends HandlerContext {

    private final Delivery delivery;
    private final Parts parts;

    DeliveryContext(Delivery delivery, Parts parts) {
        super(delivery.lease(), parts.config().codecs(), parts.broker(), parts.ledger());
        this.delivery = delivery;
        this.parts = parts;
    }

    @Override
    public boolean leaseLost() {
        return delivery.state() == Delivery.State.LOST;
    }

    @Override
    public boolean leaseUncertain() {
        return !delivery.lane().isLeaseCertain(parts.clock().nanos());
    }

    @Override
    public void onLeaseLost(Runnable callback) {
        delivery.onLost(callback);
    }

    @Override
    public boolean stopRequested() {
        return delivery.isStopRequested();
    }

    @Override
    protected void complete(Connection connection, Outcome.Complete outcome) throws SQLException {
        if (!(parts.broker() instanceof TransactionalBroker broker)) {
            throw notHere(
                    "the " + parts.broker().capabilities().name() + " broker can't work in transactions of others");
        }
        if (!broker.owns(connection)) {
            throw notHere("this connection is to another database ("
                    + connection.getMetaData().getDatabaseProductName() + ") than the broker's");
        }
        if (delivery.state() != Delivery.State.RUNNING) {
            throw lost();
        }
        var verdict = broker.completeIn(connection, new Settlement(delivery.id(), outcome, delivery.untoldProgress()));
        if (verdict instanceof Verdict.Applied applied) {
            delivery.completedIn(applied.state() == null ? Delivery.Completion.REMOVED : Delivery.Completion.KEPT);
        } else {
            parts.lose(delivery);
            throw lost();
        }
    }

    private static IllegalStateException notHere(String why) {
        return new IllegalStateException("the job can't be completed in this transaction: " + why
                + ". Return normally to complete it; so that its writes happen once, make them with"
                + " context.onceInTransaction(…)");
    }

    private EffectException lost() {
        return new EffectException.Lost(
                idempotencyKey(),
                "the completion of job " + delivery.id()
                        + " was refused: its lease was lost, or the job cancelled. Roll back: another delivery does the work");
    }

    @Override
    protected void keepProgress(String text) {
        delivery.progress(text);
    }

    @Override
    public @Nullable String progress() {
        return delivery.progress();
    }
}
