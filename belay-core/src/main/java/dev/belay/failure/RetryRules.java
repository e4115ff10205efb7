package dev.belay.failure;

import dev.belay.job.RetryPolicy;
import java.util.Set;

/** Whether a policy retries an error. */
final class RetryRules {

    private static final int NOT_NAMED = Integer.MAX_VALUE;

    private RetryRules() {}

    static boolean isRetried(Wrapped error, RetryPolicy policy) {
        if (policy.never().isEmpty()) {
            return true;
        }
        var type = error.innermost().getClass();
        var never = distance(type, policy.never());
        var always = distance(type, policy.always());
        if (never != NOT_NAMED || always != NOT_NAMED) {
            // The nearer name is the more specific one; named equally near, it is retried.
            return always <= never;
        }
        for (var wrapper : error.wrappers()) {
            var name = wrapper.getClass().getName();
            if (policy.never().contains(name) && !policy.always().contains(name)) {
                return false;
            }
        }
        return true;
    }

    /** How far up the nearest named class or interface is: a class before the interfaces that it names itself. */
    private static int distance(Class<?> type, Set<String> names) {
        var distance = 0;
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            if (names.contains(c.getName())) {
                return distance;
            }
            if (isNamed(c.getInterfaces(), names)) {
                return distance + 1;
            }
            distance += 2;
        }
        return NOT_NAMED;
    }

    private static boolean isNamed(Class<?>[] interfaces, Set<String> names) {
        for (var i : interfaces) {
            if (names.contains(i.getName()) || isNamed(i.getInterfaces(), names)) {
                return true;
            }
        }
        return false;
    }
}
