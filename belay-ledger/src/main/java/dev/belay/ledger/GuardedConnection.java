package dev.belay.ledger;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.Set;

/** A connection whose transaction is somebody else's to end. */
final class GuardedConnection {

    private static final Set<String> ENDS =
            Set.of("commit", "rollback", "close", "abort", "setAutoCommit", "setTransactionIsolation", "setReadOnly");

    private GuardedConnection() {}

    static Connection of(Connection connection) {
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    // Back to a savepoint is a step within the transaction.
                    if (ENDS.contains(method.getName())
                            && !(method.getName().equals("rollback") && arguments != null)) {
                        throw new UnsupportedOperationException("Connection." + method.getName()
                                + " is not for this call: effect and record commit together once it has returned, and"
                                + " roll back together if it throws");
                    }
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause() == null ? e : e.getCause();
                    }
                });
    }
}
