package dev.belay.delivery;

import dev.belay.broker.Broker;
import dev.belay.broker.BrokerException;
import dev.belay.broker.EnqueueCall;
import dev.belay.broker.Verdict;
import dev.belay.job.NewJob;
import dev.belay.once.Outbox;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** A broker, as an outbox moves jobs to it. Thread-safe: one call is under way at a time. */
public final class OutboxTarget implements Outbox.Target {

    private final Broker broker;
    private final UUID client = UUID.randomUUID();
    private final Map<String, Long> numbers = new HashMap<>();

    public OutboxTarget(Broker broker) {
        this.broker = broker;
    }

    @Override
    public String namespace() {
        return broker.namespace();
    }

    @Override
    public Duration dedupWindow() {
        return broker.settings().dedupWindow();
    }

    @Override
    public synchronized List<String> enqueue(String queue, List<NewJob> jobs) {
        try {
            return send(queue, jobs);
        } catch (BrokerException.NotApplied e) {
            throw new Outbox.NotSentException(String.valueOf(e.getMessage()), e);
        } catch (BrokerException.Rejected e) {
            return jobs.size() == 1 ? List.of(String.valueOf(e.getMessage())) : oneByOne(queue, jobs);
        }
    }

    /** One of them was to blame: each by itself tells which. */
    private List<String> oneByOne(String queue, List<NewJob> jobs) {
        var problems = new ArrayList<String>(jobs.size());
        for (var job : jobs) {
            try {
                problems.addAll(send(queue, List.of(job)));
            } catch (BrokerException.Rejected e) {
                problems.add(String.valueOf(e.getMessage()));
            } catch (BrokerException.NotApplied e) {
                // Of all of them together nobody can say any more that they were not sent.
                throw new BrokerException.Unknown("some of " + jobs.size() + " jobs were sent: " + e.getMessage(), e);
            }
        }
        return List.copyOf(problems);
    }

    private List<String> send(String queue, List<NewJob> jobs) {
        var number = numbers.merge(queue, 1L, Long::sum);
        return broker.enqueue(new EnqueueCall(client, queue, number, jobs)).stream()
                .map(OutboxTarget::problem)
                .toList();
    }

    private static String problem(Verdict verdict) {
        if (verdict instanceof Verdict.Conflict conflict) {
            return "its key is held by job " + conflict.holder() + ": " + conflict.detail();
        }
        return verdict.isApplied() || verdict instanceof Verdict.Duplicate || verdict instanceof Verdict.Replaced
                ? ""
                : "it was answered with " + verdict;
    }
}
