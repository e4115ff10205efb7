package dev.belay.ledger;

/** Another transaction has the key, and did not end within the wait. */
final class KeyLocked extends RuntimeException {

    private static final long serialVersionUID = 1;

    KeyLocked() {
        super("the key is locked", null, false, false);
    }
}
