package dev.belay.ledger;

import dev.belay.broker.Broker;
import dev.belay.broker.EnqueueCall;
import dev.belay.job.NewJob;
import dev.belay.once.Outbox;
import dev.belay.tck.crash.Signals;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** A process that does nothing but relay; tells {@code claimed} before, and {@code pushed} after each call to the broker. */
public final class RelayMain {

    private RelayMain() {}

    /** Arguments: broker, outbox. */
    public static void main(String[] arguments) throws Exception {
        var signals = new Signals(Set.of());
        var broker = Broker.open(arguments[0]);
        var builder = arguments[1].startsWith("sqlite:")
                ? LedgerBuilder.of(Path.of(arguments[1].substring("sqlite:".length())))
                : LedgerBuilder.of(arguments[1]);
        var outbox = builder.outboxHold(Duration.ofSeconds(2)).openOutbox();
        var target = new Target(broker, signals);
        signals.tell("ready", ProcessHandle.current().pid());
        while (true) {
            TimeUnit.NANOSECONDS.sleep(outbox.relay(target).toNanos());
        }
    }

    private static final class Target implements Outbox.Target {
        private final Broker broker;
        private final Signals signals;
        private final UUID client = UUID.randomUUID();
        private long number;

        Target(Broker broker, Signals signals) {
            this.broker = broker;
            this.signals = signals;
        }

        @Override
        public String namespace() {
            return broker.namespace();
        }

        @Override
        public Duration dedupWindow() {
            return Duration.ofHours(24);
        }

        @Override
        public List<String> enqueue(String queue, List<NewJob> jobs) {
            signals.tell("claimed", jobs.size());
            broker.enqueue(new EnqueueCall(client, queue, ++number, jobs));
            signals.tell("pushed", jobs.size());
            return jobs.stream().map(job -> "").toList();
        }
    }
}
