package dev.belay;

import dev.belay.broker.Broker;
import dev.belay.broker.BrokerException;
import dev.belay.broker.TransactionalBroker;
import dev.belay.delivery.OutboxTarget;
import dev.belay.handler.Enqueued;
import dev.belay.job.InvalidInputException;
import dev.belay.job.JobId;
import dev.belay.job.JobRequest;
import dev.belay.job.JobState;
import dev.belay.job.Limits;
import dev.belay.job.NewJob;
import dev.belay.once.LedgerException;
import dev.belay.once.Outbox;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Enqueues that commit with something else: with a transaction of the caller, or with a key that is remembered for good. By
 * the broker itself where the connection is one to its own database, else through the outbox. Thread-safe.
 */
final class InTransaction {

    private static final Logger LOG = LoggerFactory.getLogger(InTransaction.class);

    private final Broker broker;
    private final Requests requests;
    private final @Nullable Outbox outbox;
    private final Outbox.Target target;

    InTransaction(Broker broker, Requests requests, @Nullable Outbox outbox) {
        this.broker = broker;
        this.requests = requests;
        this.outbox = outbox;
        this.target = new OutboxTarget(broker);
    }

    /** As {@link Belay#enqueueIn}. */
    Enqueued enqueue(Connection connection, JobRequest<?> request) throws SQLException {
        if (broker instanceof TransactionalBroker own && own.owns(connection)) {
            return written(
                    request,
                    job -> Answers.of(
                            job,
                            own.enqueueIn(connection, job.queue(), List.of(job)).get(0)));
        }
        var writing = outboxFor(connection);
        return written(request, job -> {
            writing.add(connection, broker.namespace(), List.of(job));
            return new Enqueued(job.id(), false, null);
        });
    }

    /** As {@link Belay#enqueueOnce}. */
    Enqueued enqueueOnce(JobRequest<?> request) {
        var keys = outbox();
        try {
            var answer = written(request, job -> answer(job, keys.addOnce(broker.namespace(), keyed(job))));
            relay(keys);
            return answer;
        } catch (SQLException e) {
            throw new LedgerException("the outbox could not be written: " + e.getMessage(), e);
        }
    }

    /** As {@link Belay#enqueueOnceIn}. */
    Enqueued enqueueOnceIn(Connection connection, JobRequest<?> request) throws SQLException {
        var keys = outbox();
        return written(request, job -> answer(job, keys.addOnce(connection, broker.namespace(), keyed(job))));
    }

    private Outbox outbox() {
        if (outbox == null) {
            throw new IllegalStateException(
                    "this Belay has no outbox: give it one with Belay.builder(broker).outbox(JdbcOutbox.open(dataSource))");
        }
        return outbox;
    }

    private Outbox outboxFor(Connection connection) throws SQLException {
        if (outbox == null) {
            throw new IllegalStateException("the job can't be enqueued with this transaction: the "
                    + broker.capabilities().name() + " broker's store is not in the "
                    + connection.getMetaData().getDatabaseProductName()
                    + " database of this connection, and this Belay has no outbox. Use a connection to the broker's own"
                    + " database, or give it an outbox with"
                    + " Belay.builder(broker).outbox(JdbcOutbox.open(dataSource))");
        }
        return outbox;
    }

    private static NewJob keyed(NewJob job) {
        if (!job.key().explicit()) {
            throw new InvalidInputException(
                    "idempotencyKey", "must be given where it is to be remembered for good, but none was: call key(…)");
        }
        return job;
    }

    /** Writes a job to a database. */
    private interface Writing {
        Enqueued write(NewJob job) throws SQLException;
    }

    private Enqueued written(JobRequest<?> request, Writing writing) throws SQLException {
        var failed = new AtomicReference<@Nullable SQLException>();
        var accepted = requests.through(List.of(request), changed -> {
            var job = requests.encoded(changed, maxPayloadBytes()).get(0);
            try {
                return CompletableFuture.completedFuture(List.of(writing.write(job)));
            } catch (SQLException e) {
                failed.set(e);
                return CompletableFuture.failedFuture(e);
            }
        });
        // Whatever interceptors made of it: the caller has to end the transaction.
        try {
            var answer = Answers.await(accepted).get(0);
            if (failed.get() == null) {
                return answer;
            }
        } catch (RuntimeException e) {
            if (failed.get() == null) {
                throw e;
            }
        }
        throw Objects.requireNonNull(failed.get());
    }

    private Enqueued answer(NewJob job, JobId holder) {
        return holder.equals(job.id())
                ? new Enqueued(holder, false, null)
                : new Enqueued(holder, true, state(job.queue(), holder));
    }

    private @Nullable JobState state(String queue, JobId holder) {
        try {
            return broker.admin()
                    .find(queue, holder)
                    .map(detail -> detail.job().state())
                    .orElse(null);
        } catch (BrokerException e) {
            // The key is taken, whatever the broker could say of the job.
            return null;
        }
    }

    private void relay(Outbox moving) {
        try {
            moving.relay(target);
        } catch (BrokerException | Outbox.NotSentException e) {
            LOG.info("The broker does not answer: what is in the outbox is moved later; {}", e.getMessage());
        }
    }

    /** A broker that is away must not hold up a transaction that does not need it. */
    private int maxPayloadBytes() {
        try {
            return broker.settings().maxPayloadBytes();
        } catch (BrokerException e) {
            return Limits.PAYLOAD_BYTES;
        }
    }
}
