package dev.belay.ledger;

import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Connections of a test's database that tell which statements were run, and can lose the reply to one. */
final class WatchedSource implements DataSource {

    private final TestDatabase database;
    private final List<String> statements = new CopyOnWriteArrayList<>();
    private final AtomicReference<@Nullable Loss> loss = new AtomicReference<>();

    private record Loss(String fragment, SQLException error) {}

    WatchedSource(TestDatabase database) {
        this.database = database;
    }

    /** What was run since this was called last, ends of transactions included. */
    List<String> statements() {
        var all = List.copyOf(statements);
        statements.clear();
        return all;
    }

    /** The next statement with this in it is run, but its caller never hears of it. */
    void loseReplyOf(String fragment) {
        var error = database instanceof TestDatabase.SqliteFile
                ? new SQLException("disk I/O error", null, 10)
                : new SQLException("the connection broke", "08006");
        loss.set(new Loss(fragment, error));
    }

    @Override
    public Connection getConnection() throws SQLException {
        var real = database.connect();
        return watched(Connection.class, real, (proxy, name, arguments, answer) -> {
            if (name.equals("unwrap")) {
                return proxy;
            }
            if (name.equals("commit") || name.equals("rollback")) {
                statements.add(name);
            }
            if (name.equals("prepareStatement")) {
                return statement(java.sql.PreparedStatement.class, answer, arguments[0].toString());
            }
            return name.equals("createStatement") ? statement(java.sql.Statement.class, answer, "") : answer;
        });
    }

    private <T> T statement(Class<T> type, @Nullable Object real, String prepared) {
        return watched(type, java.util.Objects.requireNonNull(real), (proxy, name, arguments, answer) -> {
            if (name.startsWith("execute")) {
                var sql = prepared.isEmpty() ? String.valueOf(arguments[0]) : prepared;
                statements.add(sql);
                var set = loss.get();
                if (set != null && sql.contains(set.fragment()) && loss.compareAndSet(set, null)) {
                    throw set.error();
                }
            }
            return answer;
        });
    }

    private interface Watch {
        @Nullable
        Object after(Object proxy, String name, @Nullable Object[] arguments, @Nullable Object answer)
                throws SQLException;
    }

    private static <T> T watched(Class<T> type, Object real, Watch watch) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    try {
                        var given = arguments == null ? new Object[0] : arguments;
                        return watch.after(proxy, method.getName(), given, method.invoke(real, arguments));
                    } catch (InvocationTargetException e) {
                        throw e.getCause() == null ? e : e.getCause();
                    }
                }));
    }

    @Override
    public Connection getConnection(String user, String password) {
        throw new UnsupportedOperationException();
    }

    @Override
    public <T> T unwrap(Class<T> type) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return false;
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(@Nullable PrintWriter out) {
        // Nothing is logged.
    }

    @Override
    public void setLoginTimeout(int seconds) {
        // Connections are local.
    }

    @Override
    public int getLoginTimeout() {
        return 0;
    }

    @Override
    public Logger getParentLogger() {
        return Logger.getGlobal();
    }
}
