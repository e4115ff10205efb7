package dev.belay.tck;

import org.opentest4j.TestAbortedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Skips a test that a broker can't take, and says why. */
public final class Skip {

    private static final Logger LOG = LoggerFactory.getLogger(Skip.class);

    private Skip() {}

    /** Goes on only where the condition holds. */
    public static void unless(boolean condition, String reason) {
        if (!condition) {
            throw because(reason);
        }
    }

    /** Prints the reason and gives what ends the test as skipped, to be thrown. */
    public static TestAbortedException because(String reason) {
        LOG.info("skipped: {}", reason);
        return new TestAbortedException(reason);
    }
}
