package dev.belay.ledger;

import dev.belay.broker.Broker;
import dev.belay.broker.EnqueueCall;
import dev.belay.job.NewJob;
import dev.belay.once.Outbox;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** A broker as a relay sees it, with faults. */
final class BrokerTarget implements Outbox.Target {

    final List<NewJob> sent = new ArrayList<>();
    Duration window = Duration.ofHours(24);
    boolean replyIsLost;
    boolean isAway;
    private final Broker broker;
    private long number;

    BrokerTarget(Broker broker) {
        this.broker = broker;
    }

    @Override
    public String namespace() {
        return broker.namespace();
    }

    @Override
    public Duration dedupWindow() {
        return window;
    }

    @Override
    public List<String> enqueue(String queue, List<NewJob> jobs) {
        if (isAway) {
            throw new Outbox.NotSentException("away", new IllegalStateException("refused"));
        }
        sent.addAll(jobs);
        broker.enqueue(new EnqueueCall(UUID.randomUUID(), queue, ++number, jobs));
        if (replyIsLost) {
            throw new IllegalStateException("the reply is lost");
        }
        return jobs.stream().map(job -> "").toList();
    }
}
