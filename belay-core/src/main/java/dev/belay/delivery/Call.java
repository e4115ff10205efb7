package dev.belay.delivery;

import dev.belay.broker.Lease;
import dev.belay.failure.ErrorDescriber;
import dev.belay.handler.Codecs;
import dev.belay.handler.HandlerInterceptor;
import dev.belay.handler.Handlers;
import dev.belay.handler.JobContext;
import dev.belay.handler.UndecodableException;
import dev.belay.job.DeadReason;
import dev.belay.job.Outcome;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A handler and the payload that it is to be called with, or what became of a payload that can't be read.
 *
 * @param undecodable the outcome of a delivery whose payload can't be read; null where it could
 * @param thrown by the codec; null where the payload could be read
 * @param handler hands the payload over; does nothing where there is none
 */
public record Call(@Nullable Outcome undecodable, @Nullable Throwable thrown, Handler handler) {

    /** A handler that has its payload. */
    @FunctionalInterface
    public interface Handler {
        void handle(JobContext context) throws Exception;
    }

    /**
     * Decodes the payload of a delivery.
     *
     * @throws OutOfMemoryError where there is no room for it: this worker's trouble, not the payload's
     */
    public static <P> Call decode(Lease lease, Handlers.Entry<P> entry, Codecs codecs, ErrorDescriber describer) {
        try {
            var payload = codecs.decode(lease.payload(), entry.type());
            return new Call(null, null, context -> entry.handler().handle(payload, context));
        } catch (OutOfMemoryError e) {
            throw e;
        } catch (UndecodableException | RuntimeException | Error e) {
            var error = describer.describe(lease.job().type(), e);
            return new Call(new Outcome.Bury(DeadReason.UNDECODABLE, error), e, context -> {});
        }
    }

    /** Calls the handler, within the interceptors: the first is the outermost. */
    public void run(List<HandlerInterceptor> interceptors, JobContext context) throws Exception {
        HandlerInterceptor.Next next = () -> handler.handle(context);
        for (var i = interceptors.size() - 1; i >= 0; i--) {
            var interceptor = interceptors.get(i);
            var inner = next;
            next = () -> interceptor.around(context, inner);
        }
        next.proceed();
    }
}
