package dev.belay.testkit;

import dev.belay.broker.EnqueueCall;
import dev.belay.broker.TransactionalBroker;
import dev.belay.job.NewJob;
import dev.belay.memory.MemoryBroker;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The broker in memory, as one that takes jobs in any transaction, so that code can be tested that does so. It can't know
 * whether that commits: the jobs are there at once.
 */
final class InlineTransactions {

    private final MemoryBroker broker;
    private final UUID client = UUID.randomUUID();
    private final AtomicLong number = new AtomicLong();

    private InlineTransactions(MemoryBroker broker) {
        this.broker = broker;
    }

    static TransactionalBroker around(MemoryBroker broker) {
        var inline = new InlineTransactions(broker);
        return (TransactionalBroker) Proxy.newProxyInstance(
                InlineTransactions.class.getClassLoader(),
                new Class<?>[] {TransactionalBroker.class},
                (self, method, args) -> switch (method.getName()) {
                    case "owns" -> true;
                    case "enqueueIn" -> inline.enqueueIn((Connection) args[0], (String) args[1], args[2]);
                    default -> inline.call(method, args);
                });
    }

    @SuppressWarnings("unchecked") // as TransactionalBroker says
    private synchronized Object enqueueIn(Connection connection, String queue, Object jobs) throws Exception {
        TransactionalBroker.requireTransaction(connection);
        // One call under way at a time, and each with a number of its own.
        return broker.enqueue(new EnqueueCall(client, queue, number.incrementAndGet(), (List<NewJob>) jobs));
    }

    private @Nullable Object call(Method method, Object @Nullable [] args) throws Throwable {
        try {
            return method.invoke(broker, args);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }
}
