package dev.belay.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.broker.EnqueueCall;
import dev.belay.broker.Lease;
import dev.belay.broker.LeaseRequest;
import dev.belay.broker.QueueSettings;
import dev.belay.broker.SessionSpec;
import dev.belay.broker.Settlement;
import dev.belay.job.By;
import dev.belay.job.NewJob;
import dev.belay.job.Outcome;
import dev.belay.job.SessionId;
import dev.belay.tck.JobBuilder;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** How often a call asks the server, whatever the number of its jobs: as docs/brokers/postgresql.md says. */
class RoundTripsTest {

    private static final String QUEUE = "mail";

    private final String schema = Schemas.make();
    private final AtomicInteger roundTrips = new AtomicInteger();
    private final AtomicInteger statements = new AtomicInteger();
    private final UUID client = UUID.randomUUID();
    private final SessionId session = SessionId.next();
    private long calls;
    private List<Lease> leased = List.of();
    private final PostgresBroker broker = open();

    private PostgresBroker open() {
        var source = new PGSimpleDataSource();
        source.setUrl(PostgresServer.jdbcUrl(schema));
        return PostgresBroker.builder(counted(source))
                .schema(schema)
                .listens(false)
                .open();
    }

    /** A data source whose connections count what is sent. */
    private DataSource counted(DataSource source) {
        return proxy(DataSource.class, (self, method, args) -> {
            var result = invoke(source, method, args);
            return result instanceof Connection connection ? counted(connection) : result;
        });
    }

    private Connection counted(Connection connection) {
        return proxy(Connection.class, (self, method, args) -> {
            var result = invoke(connection, method, args);
            return result instanceof PreparedStatement statement
                            && method.getName().equals("prepareStatement")
                    ? counted(statement, (String) args[0])
                    : result;
        });
    }

    private PreparedStatement counted(PreparedStatement statement, String sql) {
        var each = sql.split(";").length;
        return proxy(PreparedStatement.class, (self, method, args) -> {
            if (method.getName().startsWith("execute")) {
                roundTrips.incrementAndGet();
                statements.addAndGet(each);
            }
            return invoke(statement, method, args);
        });
    }

    private static Object invoke(Object target, java.lang.reflect.Method method, Object[] args) throws Throwable {
        try {
            return method.invoke(target, args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(RoundTripsTest.class.getClassLoader(), new Class<?>[] {type}, handler));
    }

    @BeforeEach
    void warmUp() {
        broker.register(new SessionSpec(session, QUEUE, "worker", "1", 100, Duration.ofSeconds(30), Map.of("a", 1)));
        settle(lease(1, enqueue(1, false)));
        broker.admin().configure(QUEUE, QueueSettings.DEFAULT, By.of("ann"));
    }

    @AfterEach
    void close() {
        broker.close();
        Schemas.giveBack(schema);
    }

    private int enqueue(int count, boolean keyed) {
        var jobs = IntStream.range(0, count).mapToObj(i -> job(keyed)).toList();
        return broker.enqueue(new EnqueueCall(client, QUEUE, ++calls, jobs)).size();
    }

    private static NewJob job(boolean keyed) {
        var job = JobBuilder.job().queue(QUEUE).type("a");
        return (keyed ? job.key(UUID.randomUUID().toString()) : job).build();
    }

    private List<Lease> lease(long number, int count) {
        var leases = broker.lease(LeaseRequest.of(session, number, count)).leases();
        assertThat(leases).hasSize(count);
        return leases;
    }

    private void settle(List<Lease> leases) {
        var verdicts = broker.settle(
                QUEUE,
                leases.stream()
                        .map(lease -> new Settlement(lease.id(), Outcome.Complete.PLAIN, null))
                        .toList());
        assertThat(verdicts)
                .allSatisfy(verdict -> assertThat(verdict.isApplied()).isTrue());
    }

    /** Runs a call and compares what it sent. */
    private void sends(String call, int expectedRoundTrips, int expectedStatements, Runnable run) {
        roundTrips.set(0);
        statements.set(0);
        run.run();
        assertThat(List.of(roundTrips.get(), statements.get()))
                .as("round trips and statements of " + call)
                .isEqualTo(List.of(expectedRoundTrips, expectedStatements));
    }

    @Test
    void aHundredJobsTakeAHandfulOfRoundTrips() {
        sends("enqueue", 3, 11, () -> enqueue(100, false));
        sends("lease", 5, 15, () -> leased = lease(2, 100));
        broker.admin().configure(QUEUE, QueueSettings.DEFAULT.withFinished(Duration.ZERO, 0), By.of("ann"));
        sends("settle, nothing kept", 4, 7, () -> settle(leased));
        broker.admin().configure(QUEUE, QueueSettings.DEFAULT, By.of("ann"));
        enqueue(100, false);
        leased = lease(3, 100);
        sends("settle, kept", 3, 8, () -> settle(leased));
    }

    @Test
    void keysAreLookedUpAndClaimedAtOnce() {
        sends("enqueue with keys", 5, 15, () -> enqueue(100, true));
    }
}
