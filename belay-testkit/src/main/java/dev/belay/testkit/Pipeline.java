package dev.belay.testkit;

import dev.belay.broker.Lease;
import dev.belay.delivery.Call;
import dev.belay.delivery.LedgerAccess;
import dev.belay.failure.ErrorDescriber;
import dev.belay.failure.OutcomeClassifier;
import dev.belay.handler.Codecs;
import dev.belay.handler.HandlerInterceptor;
import dev.belay.handler.Handlers;
import dev.belay.job.Outcome;
import dev.belay.memory.MemoryBroker;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A delivery, from decoding to its outcome, as the engine does it. */
final class Pipeline {

    private final MemoryBroker broker;
    private final Codecs codecs;
    private final LedgerAccess ledger;
    private final RandomGenerator random;
    private final ErrorDescriber describer = new ErrorDescriber();

    Pipeline(MemoryBroker broker, Codecs codecs, LedgerAccess ledger, RandomGenerator random) {
        this.broker = broker;
        this.codecs = codecs;
        this.ledger = ledger;
        this.random = random;
    }

    /** How a delivery ended. */
    record End(
            Outcome outcome,
            @Nullable Throwable thrown,
            @Nullable String progress) {}

    End run(Lease lease, Handlers.Entry<?> entry, List<HandlerInterceptor> interceptors) {
        var job = lease.job();
        var call = Call.decode(lease, entry, codecs, describer);
        if (call.undecodable() != null) {
            return new End(call.undecodable(), call.thrown(), job.progress());
        }
        var context = new InlineContext(lease, broker, codecs, ledger);
        Throwable thrown = null;
        try {
            call.run(interceptors, context);
        } catch (Throwable e) {
            thrown = e;
        } finally {
            context.close();
            // An interrupt that the handler left is not the test's.
            Thread.interrupted();
        }
        var outcome = thrown == null
                ? context.completed()
                : OutcomeClassifier.classify(
                        thrown, job, entry.type().retryPolicy(), random, describer.describe(job.type(), thrown));
        return new End(outcome, thrown, context.progress());
    }
}
