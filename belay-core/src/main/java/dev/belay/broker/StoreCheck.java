package dev.belay.broker;

/**
 * One thing that must hold of a store.
 *
 * @param name of the check
 * @param result whether it holds
 * @param detail what was found, and what to do where it does not hold
 */
public record StoreCheck(String name, Result result, String detail) {

    /** Whether it holds. */
    public enum Result {
        OK,
        WARNING,
        FAILED,
        /** The store does not allow the check. */
        SKIPPED
    }
}
