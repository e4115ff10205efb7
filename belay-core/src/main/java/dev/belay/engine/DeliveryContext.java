package dev.belay.engine;

import dev.belay.delivery.HandlerContext;
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
    protected void keepProgress(String text) {
        delivery.progress(text);
    }

    @Override
    public @Nullable String progress() {
        return delivery.progress();
    }
}
