package dev.belay;

import dev.belay.broker.Broker;
import dev.belay.broker.Verdict;
import dev.belay.job.NewJob;
import dev.belay.time.MonotonicClock;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * The lines of one client into one queue: as many as the broker is worth having calls under way. Each is a client of its own
 * to the broker, with its own numbers. Thread-safe.
 */
final class EnqueueLines {

    private final List<EnqueueLine> lines;
    private final AtomicInteger turn = new AtomicInteger();

    EnqueueLines(Broker broker, String queue, Duration timeout, MonotonicClock clock, Executor executor) {
        lines = Stream.generate(() -> new EnqueueLine(broker, UUID.randomUUID(), queue, timeout, clock, executor))
                .limit(broker.capabilities().callsUnderWay())
                .toList();
    }

    /**
     * @param here whether the caller waits for the answer: it hands over nothing meanwhile, so any line will do. What comes
     *     from callers that don't wait goes through one line: so it keeps its order
     */
    CompletableFuture<List<Verdict>> submit(List<NewJob> jobs, boolean here) {
        return (here ? free() : lines.get(0)).submit(jobs, here);
    }

    /** The first that is free; where none is, they take turns. */
    private EnqueueLine free() {
        for (var line : lines) {
            // Called by what depends on an answer: two that wait for each other's line would wait for ever.
            if (line.isSentHere()) {
                return line;
            }
        }
        for (var line : lines) {
            if (!line.isBusy()) {
                return line;
            }
        }
        return lines.get(Math.floorMod(turn.getAndIncrement(), lines.size()));
    }
}
