package dev.belay.failure;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/**
 * An exception without what it is wrapped in.
 *
 * @param wrappers outermost first
 * @param innermost the first that is no wrapper, or a wrapper without a cause
 */
record Wrapped(List<Throwable> wrappers, Throwable innermost) {

    /** Deeper ones are cycles, or jokes. */
    private static final int DEEPEST = 100;

    static Wrapped of(Throwable thrown) {
        var wrappers = new ArrayList<Throwable>();
        var innermost = thrown;
        while (isWrapper(innermost) && wrappers.size() < DEEPEST) {
            var cause = innermost.getCause();
            if (cause == null) {
                break;
            }
            wrappers.add(innermost);
            innermost = cause;
        }
        return new Wrapped(wrappers, innermost);
    }

    /** One that overrides {@code getCause} is not asked: that may throw or block. */
    private static boolean isWrapper(Throwable thrown) {
        return (thrown instanceof ExecutionException
                        || thrown instanceof CompletionException
                        || thrown instanceof UndeclaredThrowableException
                        || thrown instanceof InvocationTargetException)
                && Trust.isTrusted(thrown);
    }
}
