package dev.belay.testkit;

import dev.belay.broker.Lease;
import dev.belay.failure.ErrorDescriber;
import dev.belay.failure.OutcomeClassifier;
import dev.belay.handler.Codecs;
import dev.belay.handler.HandlerInterceptor;
import dev.belay.handler.Handlers;
import dev.belay.handler.UndecodableException;
import dev.belay.job.DeadReason;
import dev.belay.job.Outcome;
import dev.belay.memory.MemoryBroker;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A delivery, from decoding to its outcome, as the engine does it. */
final class Pipeline {

    private final MemoryBroker broker;
    private final Codecs codecs;
    private final RandomGenerator random;
    private final ErrorDescriber describer = new ErrorDescriber();

    Pipeline(MemoryBroker broker, Codecs codecs, RandomGenerator random) {
        this.broker = broker;
        this.codecs = codecs;
        this.random = random;
    }

    /** How a delivery ended. */
    record End(
            Outcome outcome,
            @Nullable Throwable thrown,
            @Nullable String progress) {}

    <P> End run(Lease lease, Handlers.Entry<P> entry, List<HandlerInterceptor> interceptors) {
        var job = lease.job();
        P payload;
        try {
            payload = codecs.decode(lease.payload(), entry.type());
        } catch (UndecodableException | RuntimeException | Error e) {
            return new End(
                    new Outcome.Bury(DeadReason.UNDECODABLE, describer.describe(job.type(), e)), e, job.progress());
        }
        var context = new InlineContext(lease, broker, codecs);
        Throwable thrown = null;
        try {
            call(interceptors, context, () -> entry.handler().handle(payload, context));
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

    private static void call(
            List<HandlerInterceptor> interceptors, InlineContext context, HandlerInterceptor.Next handler)
            throws Exception {
        var next = handler;
        for (var i = interceptors.size() - 1; i >= 0; i--) {
            var interceptor = interceptors.get(i);
            var inner = next;
            next = () -> interceptor.around(context, inner);
        }
        next.proceed();
    }
}
