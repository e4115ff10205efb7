package dev.belay.failure;

import java.util.List;

/**
 * Tells which exceptions can be asked for their message, cause and stack on the spot: those that leave these methods as
 * the JDK wrote them. Code of anyone else's may throw, block, or never end.
 */
final class Trust {

    private static final List<String> ASKED = List.of("getMessage", "getCause", "getStackTrace");

    private static final ClassValue<Boolean> TRUSTED = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return isOfJdk(type);
        }
    };

    private Trust() {}

    static boolean isTrusted(Throwable thrown) {
        return TRUSTED.get(thrown.getClass());
    }

    private static boolean isOfJdk(Class<?> type) {
        try {
            for (var name : ASKED) {
                var loader = type.getMethod(name).getDeclaringClass().getClassLoader();
                if (loader != null && loader != ClassLoader.getPlatformClassLoader()) {
                    return false;
                }
            }
            return true;
        } catch (NoSuchMethodException | LinkageError e) {
            return false;
        }
    }
}
