package dev.belay.tck;

import dev.belay.broker.Broker;
import dev.belay.broker.TransactionalBroker;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;

/** Stands between a broker and who uses it. */
public final class Proxies {

    private Proxies() {}

    /** An object that can do whatever the broker can, each call of which goes to the handler. */
    public static Broker of(Broker broker, InvocationHandler handler) {
        Class<?> can = broker instanceof TransactionalBroker ? TransactionalBroker.class : Broker.class;
        return (Broker) Proxy.newProxyInstance(Broker.class.getClassLoader(), new Class<?>[] {can}, handler);
    }
}
