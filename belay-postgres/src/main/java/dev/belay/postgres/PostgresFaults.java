package dev.belay.postgres;

import dev.belay.broker.BrokerException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.jspecify.annotations.Nullable;

/** What PostgreSQL's errors mean for a call, and what to do about them. The states are those of its manual, appendix A. */
record PostgresFaults(String place) {

    private static final String SERIALIZATION_FAILURE = "40001";
    private static final String DEADLOCK = "40P01";
    private static final String LOCK_NOT_AVAILABLE = "55P03";
    private static final String READ_ONLY = "25006";
    private static final String TOO_MANY_CONNECTIONS = "53300";
    private static final String DISK_FULL = "53100";
    private static final String QUERY_CANCELED = "57014";
    private static final String INSUFFICIENT_PRIVILEGE = "42501";
    private static final String UNDEFINED_TABLE = "42P01";
    private static final String UNIQUE_VIOLATION = "23505";

    /** Whether the whole transaction is worth another try at once: nothing was changed, and nobody is to blame. */
    static boolean isWorthAnotherTry(SQLException e) {
        return switch (state(e)) {
            case SERIALIZATION_FAILURE, DEADLOCK, UNIQUE_VIOLATION -> true;
            default -> false;
        };
    }

    /** Whether the role may not do it. */
    static boolean isNotAllowed(SQLException e) {
        return state(e).equals(INSUFFICIENT_PRIVILEGE);
    }

    /** Whether somebody else held a lock for longer than the transaction may wait. */
    static boolean isLocked(@Nullable Throwable e) {
        return e instanceof SQLException sql && state(sql).equals(LOCK_NOT_AVAILABLE);
    }

    /** An error before the commit was sent: the transaction is undone, so nothing was changed. */
    BrokerException beforeCommit(SQLException e) {
        if (e instanceof SQLTransientConnectionException && !state(e).equals(TOO_MANY_CONNECTIONS)) {
            return new BrokerException.NotApplied(
                    "no connection to " + place + " was to be had in time: is the server up, and reachable, and does it"
                            + " allow as many connections? (" + cause(e) + ")",
                    e);
        }
        return new BrokerException.NotApplied(
                switch (state(e)) {
                    case LOCK_NOT_AVAILABLE ->
                        "another transaction in " + place + " held a lock for too long: find it in pg_stat_activity"
                                + " (state 'idle in transaction') and end it, or try again later";
                    case READ_ONLY ->
                        place + " is read-only: is this a standby, or was default_transaction_read_only set? Connect to"
                                + " the primary (targetServerType=primary in the URL)";
                    case TOO_MANY_CONNECTIONS ->
                        place + " has no connection left: raise max_connections, or give pools fewer connections";
                    case DISK_FULL -> "the disk of " + place + " is full: free space on it";
                    case QUERY_CANCELED -> "a statement in " + place + " was cancelled: " + e.getMessage();
                    case INSUFFICIENT_PRIVILEGE, UNDEFINED_TABLE ->
                        "the role of this connection may not use the store in " + place
                                + ", or the store is not there: run the migrations, and grant what docs/brokers/postgresql.md"
                                + " lists (" + e.getMessage() + ")";
                    default -> "the store in " + place + " failed: " + e.getMessage();
                },
                e);
    }

    /** An error of the commit itself: only one that the server answered with leaves no doubt. */
    BrokerException atCommit(SQLException e) {
        var answered = !isConnectionLost(e);
        return answered
                ? beforeCommit(e)
                : new BrokerException.Unknown(
                        "the connection to " + place
                                + " was lost while it committed, so it is unknown whether it was stored ("
                                + e.getMessage() + ")",
                        e);
    }

    /** Class 08, connection exceptions, and 57P, where the server ends the session. */
    static boolean isConnectionLost(SQLException e) {
        var state = state(e);
        return state.isEmpty() || state.startsWith("08") || state.startsWith("57P");
    }

    private static String cause(SQLException e) {
        var cause = e.getCause();
        return cause == null ? String.valueOf(e.getMessage()) : String.valueOf(cause.getMessage());
    }

    private static String state(SQLException e) {
        var state = e.getSQLState();
        return state == null ? "" : state;
    }
}
