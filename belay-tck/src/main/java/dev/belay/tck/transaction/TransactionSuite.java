package dev.belay.tck.transaction;

import dev.belay.broker.Broker;
import dev.belay.broker.TransactionalBroker;
import dev.belay.broker.Verdict;
import dev.belay.job.NewJob;
import dev.belay.tck.BrokerSuite;
import dev.belay.tck.JobBuilder;
import dev.belay.tck.Skip;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What all suites with transactions of a caller have: connections to the store's database, closed after each test. */
@SuppressWarnings("NullAway.Init") // set before each test
public abstract class TransactionSuite extends BrokerSuite {

    /** How long a test waits for what must come. Only a way to fail. */
    static final long PATIENCE_SECONDS = 60;

    TransactionalBroker transactional;

    private final List<Connection> connections = new ArrayList<>();
    private final ExecutorService others = Executors.newCachedThreadPool();

    @BeforeEach
    void prepare() {
        transactional = transactional(broker);
        // Opened before a transaction is: to open a store may need a write.
        secondNode();
    }

    @AfterEach
    void closeAll() throws Exception {
        for (var connection : connections) {
            if (!connection.isClosed()) {
                connection.rollback();
                connection.close();
            }
        }
        others.shutdown();
        others.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    static TransactionalBroker transactional(Broker node) {
        if (node instanceof TransactionalBroker able) {
            return able;
        }
        throw Skip.because("the broker " + node.capabilities().name() + " does not work in transactions of its caller");
    }

    String url() {
        return bench.store()
                .jdbcUrl()
                .orElseThrow(() -> Skip.because("the harness " + harness.name() + " gives no connections"));
    }

    /** A connection of a caller, in a transaction. */
    Connection begin() throws SQLException {
        var connection = DriverManager.getConnection(url());
        connections.add(connection);
        connection.setAutoCommit(false);
        return connection;
    }

    List<Verdict> enqueueIn(Connection connection, NewJob... jobs) throws SQLException {
        return transactional.enqueueIn(connection, jobs[0].queue(), Arrays.asList(jobs));
    }

    /** Enqueues a job that must be accepted. */
    NewJob acceptIn(Connection connection, JobBuilder job) throws SQLException {
        var built = job.build();
        applied(enqueueIn(connection, built).get(0));
        return built;
    }

    /** Something that may have to wait for an open transaction. */
    interface Call<T> {
        T call() throws Exception;
    }

    /** Begins something on another thread. */
    <T> Future<T> elsewhere(Call<T> call) {
        return others.submit(call::call);
    }

    static <T> T answer(Future<T> future) {
        try {
            return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for another thread", e);
        } catch (Exception e) {
            throw new AssertionError("a call on another thread failed: " + e.getMessage(), e);
        }
    }
}
