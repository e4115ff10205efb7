package dev.belay.delivery;

import dev.belay.broker.Broker;
import dev.belay.broker.BrokerException;
import dev.belay.broker.Cells;
import dev.belay.broker.Lease;
import dev.belay.handler.Codecs;
import dev.belay.once.Ledger;
import dev.belay.once.Owner;
import dev.belay.once.OwnerCheck;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A ledger as the deliveries of one broker see it. Which leases are held only the broker's store can say, so that store has
 * an id, and a delivery of another store is left alone. Thread-safe.
 */
public final class LedgerAccess implements OwnerCheck {

    private static final String STORE_CELL = "store-id";

    private final Broker broker;
    private final Effects effects;
    private volatile @Nullable String store;

    public LedgerAccess(Ledger ledger, Broker broker, Codecs codecs) {
        this.broker = broker;
        effects = new Effects(ledger, codecs, this);
    }

    Effects effects() {
        return effects;
    }

    /** The delivery that has a lease, as the owner of what it reserves. */
    Owner.Delivery owner(Lease lease) {
        return new Owner.Delivery(store(), lease.id(), lease.job().counts().replays());
    }

    @Override
    public boolean mayAct(Owner.Delivery owner) {
        try {
            return !owner.store().equals(store())
                    || broker.held(List.of(owner.lease())).get(0);
        } catch (BrokerException e) {
            // It can't be found out now: so it is left alone.
            return true;
        }
    }

    private String store() {
        var known = store;
        if (known == null) {
            known = text(broker.cells().get(STORE_CELL).orElseGet(this::name));
            store = known;
        }
        return known;
    }

    private Cells.Cell name() {
        var cells = broker.cells();
        cells.compareAndSet(STORE_CELL, 0, UUID.randomUUID().toString().getBytes(StandardCharsets.US_ASCII), null);
        // Whoever was first has named it.
        return cells.get(STORE_CELL)
                .orElseThrow(
                        () -> new BrokerException.NotApplied("the store's cell '" + STORE_CELL + "' is gone", null));
    }

    private static String text(Cells.Cell cell) {
        return new String(cell.value(), StandardCharsets.US_ASCII);
    }
}
