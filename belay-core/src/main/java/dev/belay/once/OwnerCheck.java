package dev.belay.once;

/** Finds out whether the delivery that holds a reservation still holds its lease. */
@FunctionalInterface
public interface OwnerCheck {

    /** Knows no broker, so it takes no reservation of a delivery from anyone. */
    OwnerCheck NO_BROKER = owner -> true;

    /** Whether it may still act: also where that can't be found out. */
    boolean mayAct(Owner.Delivery owner);
}
