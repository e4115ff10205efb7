package dev.belay.sqlite;

import dev.belay.broker.Broker;
import dev.belay.broker.BrokerProvider;
import dev.belay.job.InvalidInputException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Opens {@code sqlite:path}: a file, relative to the working directory or absolute. */
public final class SqliteBrokerProvider implements BrokerProvider {

    private static final String SCHEME = "sqlite";

    @Override
    public String scheme() {
        return SCHEME;
    }

    @Override
    public Broker open(String address, String namespace) {
        if (!address.startsWith(SCHEME + ":") || address.length() == SCHEME.length() + 1) {
            throw refused(address, null);
        }
        try {
            return SqliteBroker.builder(Path.of(address.substring(SCHEME.length() + 1)))
                    .namespace(namespace)
                    .open();
        } catch (InvalidPathException e) {
            throw refused(address, e);
        }
    }

    private static InvalidInputException refused(String address, @org.jspecify.annotations.Nullable Exception cause) {
        var refusal = new InvalidInputException(
                "address", "must be 'sqlite:' and the path of a file, as in sqlite:belay.db, but is '" + address + "'");
        if (cause != null) {
            refusal.initCause(cause);
        }
        return refusal;
    }
}
