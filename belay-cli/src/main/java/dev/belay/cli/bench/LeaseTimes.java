package dev.belay.cli.bench;

import dev.belay.broker.Broker;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** How long the lease calls of a worker took, failed ones too. Thread-safe. */
final class LeaseTimes {

    private record Call(long start, double millis) {}

    private final Queue<Call> calls = new ConcurrentLinkedQueue<>();

    /** The same broker, whose lease calls are timed. */
    Broker around(Broker broker) {
        return (Broker) Proxy.newProxyInstance(
                Broker.class.getClassLoader(),
                new Class<?>[] {Broker.class},
                (self, method, args) ->
                        method.getName().equals("lease") ? timed(broker, method, args) : passed(broker, method, args));
    }

    /** Milliseconds of the calls that began in it: one that outlasts it is one that it made slow. */
    Samples in(Span span) {
        var millis = new Samples();
        for (var call : calls) {
            if (span.has(call.start)) {
                millis.add(call.millis);
            }
        }
        return millis;
    }

    private Object timed(Broker broker, Method method, Object[] args) throws Throwable {
        var start = System.nanoTime();
        try {
            return passed(broker, method, args);
        } finally {
            calls.add(new Call(start, (System.nanoTime() - start) / 1e6));
        }
    }

    private static Object passed(Broker broker, Method method, Object[] args) throws Throwable {
        try {
            return method.invoke(broker, args);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }
}
