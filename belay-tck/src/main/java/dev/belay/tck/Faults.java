package dev.belay.tck;

import dev.belay.broker.Broker;
import dev.belay.broker.BrokerException;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Loses calls to a real broker and replies from it, as a network does. Faults are for the next calls of a method, in the
 * order in which they were asked for; calls without a fault go through. Thread-safe.
 */
public final class Faults {

    private enum Fault {
        /** The call does not arrive. */
        CALL_LOST,
        /** The call is applied; its answer does not arrive. */
        REPLY_LOST
    }

    private final Map<String, Queue<Fault>> next = new ConcurrentHashMap<>();

    /** The same broker behind a network that loses what this object was told to lose. */
    public Broker around(Broker broker) {
        return Proxies.of(broker, (self, method, args) -> {
            var faults = next.get(method.getName());
            var fault = faults == null ? null : faults.poll();
            if (fault == Fault.CALL_LOST) {
                throw new BrokerException.NotApplied("the call was lost: " + method.getName(), null);
            }
            Object reply;
            try {
                reply = method.invoke(broker, args);
            } catch (InvocationTargetException e) {
                throw cause(e);
            }
            if (fault == Fault.REPLY_LOST) {
                throw new BrokerException.Unknown("the reply was lost: " + method.getName(), null);
            }
            return reply;
        });
    }

    /** The next call of a method of {@link Broker} fails before it is applied: {@code NotApplied}. */
    public Faults loseCall(String method) {
        return add(method, Fault.CALL_LOST);
    }

    /** The next call of a method of {@link Broker} is applied, and fails then: {@code Unknown}. */
    public Faults loseReply(String method) {
        return add(method, Fault.REPLY_LOST);
    }

    private Faults add(String method, Fault fault) {
        if (Arrays.stream(Broker.class.getMethods()).noneMatch(m -> m.getName().equals(method))) {
            throw new IllegalArgumentException("Broker has no method '" + method + "'");
        }
        next.computeIfAbsent(method, name -> new ConcurrentLinkedQueue<>()).add(fault);
        return this;
    }

    private static Throwable cause(InvocationTargetException e) {
        @Nullable Throwable cause = e.getCause();
        return cause == null ? e : cause;
    }
}
