package dev.belay.tck.engine;

import dev.belay.broker.Broker;
import dev.belay.broker.BrokerException;
import dev.belay.broker.EnqueueCall;
import dev.belay.broker.Settlement;
import dev.belay.job.LeaseId;
import dev.belay.tck.Faults;
import dev.belay.tck.Proxies;
import java.lang.reflect.InvocationTargetException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * What lies between an engine and its broker: can be cut, can lose single calls or replies, can hold calls, and counts them.
 * What a broker keeps in memory or does by itself (settings, signals) goes on while it is cut. Thread-safe.
 */
public final class Wire {

    private static final Set<String> LOCAL = Set.of(
            "settings",
            "capabilities",
            "listen",
            "admin",
            "cells",
            "close",
            "toString",
            "hashCode",
            "equals",
            // These go over a connection of the caller's own.
            "owns",
            "enqueueIn",
            "completeIn");

    /** What gets lost. */
    public enum Loss {
        /** The call does not arrive. */
        CALL,
        /** The call is applied; its reply does not arrive. */
        REPLY
    }

    private final Faults faults = new Faults();
    private final Map<String, Loss> losesFirst = new ConcurrentHashMap<>();
    private final Set<Object> seen = ConcurrentHashMap.newKeySet();
    private final Map<String, AtomicInteger> calls = new ConcurrentHashMap<>();
    private final Map<String, Hold> holds = new ConcurrentHashMap<>();
    private final Map<String, Hold> replyHolds = new ConcurrentHashMap<>();
    private final Set<String> cut = ConcurrentHashMap.newKeySet();
    private volatile boolean allCut;
    private volatile boolean repliesCut;

    /** The broker at the other end of this wire. */
    public Broker around(Broker broker) {
        var faulty = faults.around(broker);
        return Proxies.of(broker, (self, method, args) -> {
            var name = method.getName();
            if (LOCAL.contains(name)) {
                return invoke(method, broker, args);
            }
            calls.computeIfAbsent(name, any -> new AtomicInteger()).incrementAndGet();
            var hold = holds.get(name);
            if (hold != null) {
                hold.pass();
            }
            var first = losesFirst.get(name);
            var losesThis = first != null && isNew(args);
            if (allCut || cut.contains(name) || (losesThis && first == Loss.CALL)) {
                throw new BrokerException.NotApplied("the wire is cut: " + name, null);
            }
            var reply = invoke(method, faulty, args);
            var replyHold = replyHolds.get(name);
            if (replyHold != null) {
                replyHold.pass();
            }
            if (repliesCut || losesThis) {
                throw new BrokerException.Unknown("the wire was cut before the reply to " + name, null);
            }
            return reply;
        });
    }

    /** The next calls or replies that get lost, one by one. */
    public Faults faults() {
        return faults;
    }

    /**
     * From now on the first try of every enqueue call, or of every lease that is begun or settled, gets lost; what is sent
     * again goes through.
     *
     * @param method {@code enqueue}, {@code begin} or {@code settle}
     */
    public void loseFirst(String method, Loss what) {
        losesFirst.put(method, what);
    }

    /** From now on no call arrives. */
    public void cut() {
        allCut = true;
    }

    /** From now on calls arrive and are applied, and no reply comes back. */
    public void cutReplies() {
        repliesCut = true;
    }

    /** From now on no call of a method arrives. */
    public void cut(String method) {
        cut.add(method);
    }

    /** Ends all cuts. */
    public void heal() {
        allCut = false;
        repliesCut = false;
        cut.clear();
        losesFirst.clear();
    }

    /** From now on calls of a method wait before they are sent. */
    public Hold hold(String method) {
        var hold = new Hold();
        holds.put(method, hold);
        return hold;
    }

    /** From now on calls of a method are applied, and their replies wait. */
    public Hold holdReplies(String method) {
        var hold = new Hold();
        replyHolds.put(method, hold);
        return hold;
    }

    /** Lets everything go that is held. */
    public void release() {
        for (var held : List.of(holds, replyHolds)) {
            held.values().forEach(Hold::open);
            held.clear();
        }
    }

    /** How many calls of a method were made, lost ones included. */
    public int calls(String method) {
        var count = calls.get(method);
        return count == null ? 0 : count.get();
    }

    /** Whether this call, or a part of it, was never sent before. */
    private boolean isNew(Object[] args) {
        if (args[0] instanceof EnqueueCall call) {
            return seen.add(List.of(call.client(), call.queue(), call.number()));
        }
        if (args[0] instanceof LeaseId begun) {
            return seen.add(List.of("begin", begun));
        }
        var isNew = false;
        for (var settlement : (List<?>) args[1]) {
            isNew |= seen.add(((Settlement) settlement).lease());
        }
        return isNew;
    }

    private static @Nullable Object invoke(java.lang.reflect.Method method, Broker broker, Object @Nullable [] args)
            throws Throwable {
        try {
            return method.invoke(broker, args);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }
}
