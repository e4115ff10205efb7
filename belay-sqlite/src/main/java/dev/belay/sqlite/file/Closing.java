package dev.belay.sqlite.file;

import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Closes what is of no more use. */
final class Closing {

    private Closing() {}

    /** A failure is of no consequence any more: it is logged at debug level. */
    static void quietly(@Nullable AutoCloseable resource) {
        if (resource != null) {
            try {
                resource.close();
            } catch (Exception e) {
                LoggerFactory.getLogger(Closing.class).debug("{} could not be closed", resource, e);
            }
        }
    }
}
