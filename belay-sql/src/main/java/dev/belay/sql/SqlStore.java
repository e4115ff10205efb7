package dev.belay.sql;

import dev.belay.broker.BrokerException;
import dev.belay.broker.StoreCheck;
import dev.belay.broker.Verdict;
import dev.belay.jdbc.SqlWork;
import dev.belay.jdbc.Statements;
import dev.belay.sql.step.Namespace;
import dev.belay.sql.step.Tx;
import dev.belay.sql.view.FilterSql;
import java.sql.SQLException;
import java.util.List;

/** A broker's way to its database. Thread-safe. */
public interface SqlStore {

    /**
     * Runs work in a transaction, which is committed when it returns. Where the database asks for it, the work is run again.
     *
     * @throws BrokerException where it failed
     */
    <T> T write(SqlWork<Tx, T> work);

    /** As {@link #write}, for what a person does to one job: where somebody else holds it for long, that is the answer. */
    default Verdict act(SqlWork<Tx, Verdict> work) {
        return write(work);
    }

    /** Work that answers nothing. */
    @FunctionalInterface
    interface Change {
        void run(Tx tx) throws SQLException;
    }

    /** As {@link #write}, for work that answers nothing. */
    default void change(Change change) {
        this.<Boolean>write(tx -> {
            change.run(tx);
            return true;
        });
    }

    /** Runs a reading, of one state of the store. */
    <T> T read(SqlWork<Statements, T> work);

    Namespace namespace();

    /** The broker's clock, in epoch milliseconds. */
    long time();

    /** The same, within a reading. */
    long time(Statements sql) throws SQLException;

    /** How queries of jobs read its tables. */
    FilterSql filterSql();

    /** What must hold of the store for the guarantees to hold. */
    List<StoreCheck> check();

    /** @throws IllegalStateException where the broker is closed */
    void checkOpen();
}
