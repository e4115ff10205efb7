package dev.belay.postgres;

import dev.belay.jdbc.Statements;
import java.sql.SQLException;
import java.util.UUID;

/**
 * What one broker object is to others on the same store. Safe for use by many threads.
 *
 * @param schema where the store is
 * @param namespace its name
 * @param id tells its own signals from those of others
 */
record Node(String schema, String namespace, String id, Numbers numbers) {

    private static final String EVERYBODY = "!";
    private static final String SOME = "?";
    private static final String GUEST = "-";

    Node(String schema, String namespace) {
        this(schema, namespace, UUID.randomUUID().toString(), new Numbers());
    }

    /** The name of a lock that only this namespace of this store has. */
    String lockName(String name) {
        return "belay " + schema + " " + namespace + " " + name;
    }

    /** The name of the lock that lease calls of a queue share, and a pause takes alone. */
    String leaseLock(String queue) {
        return lockName("lease " + queue);
    }

    /** The channel of signals: one a schema. */
    String channel() {
        return "belay_" + schema;
    }

    /**
     * Tells other broker objects, once the transaction is committed, that a queue has work.
     *
     * @param at the earliest place that a job came to stand at
     * @param guest whether a caller ends the transaction: then this broker object is told as well, and, as that may take long,
     *     no other transaction has to wait for it to tell the same
     */
    void tell(Statements sql, String queue, boolean everybody, long at, boolean guest) throws SQLException {
        sql.get("signal")
                .set("slot", lockName((guest ? "guest's signal " : "signal ") + queue))
                .set("channel", channel())
                .set(
                        "message",
                        (guest ? GUEST : id) + " " + namespace + " " + (everybody ? EVERYBODY : SOME) + " " + at + " "
                                + queue)
                .later();
    }

    /** A signal of another broker object of the namespace. */
    record Signal(String queue, boolean everybody, long at) {}

    /** Reads a message; null where it is not for this broker object. */
    @org.jspecify.annotations.Nullable
    Signal read(String message) {
        var parts = message.split(" ", 5);
        return parts.length == 5 && !parts[0].equals(id) && parts[1].equals(namespace)
                ? new Signal(parts[4], parts[2].equals(EVERYBODY), Long.parseLong(parts[3]))
                : null;
    }
}
