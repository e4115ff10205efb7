package dev.belay;

import dev.belay.broker.BrokerException;
import dev.belay.broker.Verdict;
import dev.belay.handler.Enqueued;
import dev.belay.handler.IdempotencyConflictException;
import dev.belay.job.NewJob;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

/** What a broker said to an enqueue, as its caller is told. */
final class Answers {

    private Answers() {}

    /** @throws IdempotencyConflictException where the key is taken by another payload */
    static Enqueued of(NewJob job, Verdict verdict) {
        if (verdict instanceof Verdict.Applied applied) {
            return new Enqueued(job.id(), false, applied.state());
        }
        if (verdict instanceof Verdict.Duplicate duplicate) {
            return new Enqueued(duplicate.holder(), true, duplicate.state());
        }
        if (verdict instanceof Verdict.Replaced replaced) {
            return new Enqueued(replaced.by(), true, replaced.state(), true);
        }
        if (verdict instanceof Verdict.Conflict conflict) {
            throw new IdempotencyConflictException(conflict.holder(), conflict.detail());
        }
        throw new IllegalStateException("a broker answered an enqueue of job " + job.id() + " with " + verdict);
    }

    static <T> T await(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BrokerException.Unknown(
                    "interrupted while waiting for the broker's answer: the jobs may have been accepted", e);
        } catch (ExecutionException e) {
            throw rethrown(e.getCause() == null ? e : e.getCause());
        }
    }

    private static RuntimeException rethrown(Throwable cause) {
        if (cause instanceof CompletionException && cause.getCause() != null) {
            return rethrown(cause.getCause());
        }
        if (cause instanceof Error error) {
            throw error;
        }
        if (cause instanceof RuntimeException exception) {
            // The stack of a sender's thread says nothing about the caller's.
            exception.addSuppressed(new EnqueuedHere());
            return exception;
        }
        return new IllegalStateException("an enqueue failed: " + cause, cause);
    }

    /** Shows where an enqueue was called that failed on another thread. */
    private static final class EnqueuedHere extends RuntimeException {
        private static final long serialVersionUID = 1;

        EnqueuedHere() {
            super("enqueued here");
        }
    }
}
