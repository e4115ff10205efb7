package dev.belay.testkit;

import dev.belay.broker.Broker;
import dev.belay.broker.BrokerAdmin;
import dev.belay.broker.Cells;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.Consumer;

/** A broker whose calls can be made to fail, each before or after it was done. */
final class Faulty {

    private final Broker real;
    private volatile Consumer<String> before = method -> {};
    private volatile Consumer<String> after = method -> {};

    Faulty(Broker real) {
        this.real = real;
    }

    /** Is told the method's name before each call, and may throw in its place. */
    void before(Consumer<String> hook) {
        before = hook;
    }

    /** Is told the method's name after each call, and may throw in its place. */
    void after(Consumer<String> hook) {
        after = hook;
    }

    void heal() {
        before = method -> {};
        after = method -> {};
    }

    Broker broker() {
        return around(Broker.class, real);
    }

    private <T> T around(Class<T> type, Object target) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
            switch (method.getName()) {
                case "admin" -> {
                    return around(BrokerAdmin.class, real.admin());
                }
                case "cells" -> {
                    return around(Cells.class, real.cells());
                }
                default -> {
                    before.accept(method.getName());
                    try {
                        var result = method.invoke(target, args);
                        after.accept(method.getName());
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }
            }
        }));
    }
}
