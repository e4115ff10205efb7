package dev.belay.engine;

import dev.belay.broker.Broker;
import dev.belay.broker.BrokerException;
import dev.belay.broker.EnqueueCall;
import dev.belay.broker.Verdict;
import dev.belay.job.NewJob;
import dev.belay.once.Outbox;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Moves jobs from an outbox to the broker. Every worker that was given the outbox runs one. */
final class Relay implements Service, Outbox.Target {

    private final Outbox outbox;
    private final Broker broker;
    private final UUID client = UUID.randomUUID();
    private final Map<String, Long> numbers = new HashMap<>();

    Relay(Outbox outbox, Broker broker) {
        this.outbox = outbox;
        this.broker = broker;
    }

    @Override
    public String name() {
        return "relay";
    }

    @Override
    public Duration runOnce() {
        return outbox.relay(this);
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
    public List<String> enqueue(String queue, List<NewJob> jobs) {
        var number = numbers.merge(queue, 1L, Long::sum);
        try {
            return broker.enqueue(new EnqueueCall(client, queue, number, jobs)).stream()
                    .map(Relay::problem)
                    .toList();
        } catch (BrokerException.Rejected e) {
            if (jobs.size() == 1) {
                return List.of(String.valueOf(e.getMessage()));
            }
            // One of them: which, they are asked one by one.
            var problems = new java.util.ArrayList<>(Collections.nCopies(jobs.size(), ""));
            for (var i = 0; i < jobs.size(); i++) {
                problems.set(i, enqueue(queue, List.of(jobs.get(i))).get(0));
            }
            return List.copyOf(problems);
        }
    }

    private static String problem(Verdict verdict) {
        if (verdict instanceof Verdict.Conflict conflict) {
            return "its key is held by job " + conflict.holder() + ": " + conflict.detail();
        }
        return verdict.isApplied() || verdict instanceof Verdict.Duplicate ? "" : "it was answered with " + verdict;
    }
}
