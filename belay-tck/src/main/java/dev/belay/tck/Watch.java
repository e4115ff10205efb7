package dev.belay.tck;

import dev.belay.broker.Broker;
import dev.belay.broker.BrokerAdmin;
import dev.belay.broker.Lease;
import dev.belay.broker.LeaseReply;
import dev.belay.broker.LeaseRequest;
import dev.belay.broker.Verdict;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Sees every lease that the nodes of one namespace hand out, and checks what must hold of each at once: tokens of a queue
 * are never given twice and never fall, a reply keeps within its request. Survives {@link Store#reopen}, as tokens must.
 */
final class Watch {

    private final Map<String, Long> newestToken = new HashMap<>();
    private final Map<String, Set<Long>> tokens = new HashMap<>();
    private final Map<String, Map<JobId, Long>> newestOfJob = new HashMap<>();
    private final Map<String, Long> replaced = new HashMap<>();
    private final List<String> violations = Collections.synchronizedList(new ArrayList<>());

    /** The same broker, watched. */
    Broker around(Broker broker) {
        var handler = handler((method, args) -> {
            switch (method.getName()) {
                case "lease" -> {
                    return lease(broker, (LeaseRequest) args[0]);
                }
                case "admin" -> {
                    return around(broker.admin());
                }
                default -> {
                    return call(method, broker, args);
                }
            }
        });
        return Proxies.of(broker, handler);
    }

    private BrokerAdmin around(BrokerAdmin admin) {
        return proxy(BrokerAdmin.class, (method, args) -> {
            var answer = call(method, admin, args);
            if (method.getName().equals("replace") && answer instanceof Verdict.Applied) {
                var queue = ((dev.belay.job.NewJob) args[2]).queue();
                synchronized (this) {
                    replaced.merge(queue, 1L, Long::sum);
                }
            }
            return answer;
        });
    }

    private LeaseReply lease(Broker broker, LeaseRequest request) {
        var before = snapshot();
        var reply = broker.lease(request);
        see(request, reply, before);
        return reply;
    }

    private synchronized Map<String, Long> snapshot() {
        return Map.copyOf(newestToken);
    }

    private synchronized void see(LeaseRequest request, LeaseReply reply, Map<String, Long> before) {
        var problems = new ArrayList<String>();
        var leases = reply.leases();
        if (leases.size() > request.slots() + request.extra()) {
            problems.add(leases.size() + " leases for " + request);
        }
        if (leases.stream().filter(lease -> lease.job().hasOneCrashLeft()).count() > request.slots()) {
            problems.add("more jobs with one crash left than slots for " + request);
        }
        if (request.suspect()
                ? leases.size() > 1
                : leases.stream().anyMatch(lease -> lease.job().isSuspect())) {
            problems.add("suspects and others mixed for " + request);
        }
        if (reply.status() != LeaseReply.Status.OK && !leases.isEmpty()) {
            problems.add("leases with status " + reply.status());
        }
        for (var lease : leases) {
            see(request, lease, before.getOrDefault(lease.id().queue(), 0L), problems);
        }
        if (!problems.isEmpty()) {
            violations.addAll(problems);
            throw new AssertionError("a lease call broke the contract: " + problems);
        }
    }

    private void see(LeaseRequest request, Lease lease, long before, List<String> problems) {
        var id = lease.id();
        var job = lease.job();
        if (id.token() <= before) {
            problems.add("token fell from " + before + " to that of " + id);
        }
        if (!tokens.computeIfAbsent(id.queue(), queue -> new HashSet<>()).add(id.token())) {
            problems.add("token given twice: " + id);
        }
        if (!id.session().equals(request.session())
                || job.state() != JobState.RUNNING
                || !id.session().equals(job.session())
                || id.token() != job.token()
                || !id.job().equals(job.id())
                || !id.queue().equals(job.queue())) {
            problems.add("lease " + id + " does not match its job " + job);
        }
        if (job.times().leasedAt() == null || job.times().begunAt() != null) {
            problems.add("times of a fresh lease: " + job.times());
        }
        newestToken.merge(id.queue(), id.token(), Math::max);
        newestOfJob.computeIfAbsent(id.queue(), queue -> new HashMap<>()).merge(id.job(), id.token(), Math::max);
    }

    /** The newest token that a job was leased with; 0 where it was not. */
    synchronized long newestToken(String queue, JobId job) {
        return newestOfJob.getOrDefault(queue, Map.of()).getOrDefault(job, 0L);
    }

    /** How many jobs of a queue were replaced by {@link BrokerAdmin#replace}. */
    synchronized long replaced(String queue) {
        return replaced.getOrDefault(queue, 0L);
    }

    void check() {
        if (!violations.isEmpty()) {
            throw new AssertionError("lease calls broke the contract: " + violations);
        }
    }

    private interface Calls {
        @Nullable
        Object call(Method method, Object[] args) throws Throwable;
    }

    private static <T> T proxy(Class<T> type, Calls calls) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler(calls)));
    }

    private static InvocationHandler handler(Calls calls) {
        return (self, method, args) -> calls.call(method, args == null ? new Object[0] : args);
    }

    private static @Nullable Object call(Method method, Object target, Object[] args) throws Throwable {
        try {
            return method.invoke(target, args);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }
}
