package dev.belay.ledger;

import dev.belay.Worker;
import dev.belay.broker.Broker;
import dev.belay.job.Backoff;
import dev.belay.job.JobType;
import dev.belay.job.RetryPolicy;
import dev.belay.once.Claim;
import dev.belay.once.Effect;
import dev.belay.once.Ledger;
import dev.belay.once.Owner;
import dev.belay.once.OwnerCheck;
import dev.belay.once.Reservation;
import dev.belay.tck.crash.Signals;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A worker process that pays orders through the ledger. It tells each window that it is in, and can be held there: {@code
 * before-reserve}, {@code reserved}, {@code calling} (the provider has charged, its answer is on its way), {@code called},
 * {@code recorded}.
 */
public final class PayerMain {

    static final Duration LEASE = Duration.ofMillis(1_500);

    /** Pays an order by its number; recognised by the provider when it is asked again. */
    static final JobType<String> PAY = type("pay");

    /** Pays an order by its number, at a provider that would charge again. */
    static final JobType<String> PAY_BLINDLY = type("pay-blindly");

    private static JobType<String> type(String name) {
        return JobType.define(name, String.class)
                .maxCrashes(1_000)
                .retry(RetryPolicy.with(Backoff.fixed(Duration.ofMillis(50))))
                .build();
    }

    private PayerMain() {}

    /** Arguments: broker, ledger, file of the provider, windows to hold at (comma-separated, may be empty), slots. */
    public static void main(String[] arguments) throws Exception {
        var signals = new Signals(Set.of(arguments[3].split(",")));
        var provider = new Provider(Path.of(arguments[2]));
        var broker = Broker.open(arguments[0]);
        var ledger = new WatchedLedger(Ledger.open(arguments[1]), signals);
        var worker = Worker.on(broker)
                .queue("default", Integer.parseInt(arguments[4]))
                .leaseDuration(LEASE)
                .heartbeat(Duration.ofMillis(300))
                .poll(Duration.ofMillis(50))
                .reconnectBackoff(Duration.ofMillis(400))
                .ledger(ledger)
                .handle(PAY, (order, context) -> {
                    signals.reach("before-reserve", order);
                    context.once(Effect.of(order, String.class), key -> pay(provider, signals, key));
                    signals.reach("recorded", order);
                })
                .handle(PAY_BLINDLY, (order, context) -> {
                    signals.reach("before-reserve", order);
                    context.once(Effect.of(order, String.class).atMostOnce(), key -> pay(provider, signals, key));
                    signals.reach("recorded", order);
                })
                .start();
        signals.tell("ready", ProcessHandle.current().pid());
        worker.awaitStop();
    }

    private static String pay(Provider provider, Signals signals, String key) throws InterruptedException {
        signals.reach("reserved", key);
        provider.charge(key);
        signals.reach("calling", key);
        TimeUnit.MILLISECONDS.sleep(1);
        return "receipt of " + key;
    }

    /** Tells when a call is made but not recorded. */
    private record WatchedLedger(Ledger ledger, Signals signals) implements Ledger {
        @Override
        public Owner.Caller caller() {
            return ledger.caller();
        }

        @Override
        public Reservation reserve(Claim claim, OwnerCheck owners) {
            return ledger.reserve(claim, owners);
        }

        @Override
        public boolean complete(Claim claim, byte @Nullable [] result, String encoding) {
            signals.reach("called", claim.key());
            return ledger.complete(claim, result, encoding);
        }

        @Override
        public boolean fail(Claim claim, String error) {
            return ledger.fail(claim, error);
        }

        @Override
        public boolean abandon(Claim claim) {
            return ledger.abandon(claim);
        }

        @Override
        public boolean release(Claim claim) {
            return ledger.release(claim);
        }

        @Override
        public boolean doubt(Claim claim) {
            return ledger.doubt(claim);
        }

        @Override
        public Reservation inTransaction(Claim claim, OwnerCheck owners, Work work) throws Exception {
            return ledger.inTransaction(claim, owners, work);
        }

        @Override
        public void close() {
            ledger.close();
        }
    }
}
