package dev.belay.batch;

import dev.belay.broker.BrokerException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Sends what many callers hand over in batches that form by themselves: while one batch is on its way, the next one
 * gathers. No timer, no linger: one caller gets one round trip, a thousand callers share one. At most one batch is on its
 * way at a time. Thread-safe.
 *
 * @param <I> an item
 * @param <O> the answer to an item
 */
public final class Batcher<I, O> {

    private final Function<List<I>, List<O>> send;
    private final ToLongFunction<I> weigh;
    private final int maxCount;
    private final long maxBytes;
    private final int maxPending;
    private final Executor executor;

    private final Object lock = new Object();
    private final ArrayDeque<Group<I, O>> pending = new ArrayDeque<>();
    private int pendingItems;
    private boolean busy;

    /** The thread that sends at this moment. */
    private volatile @Nullable Thread sender;

    /**
     * @param send sends a batch and answers for each item, in order; called by one thread at a time
     * @param weigh the bytes of an item
     * @param maxCount items in a batch
     * @param maxBytes bytes in a batch, unless one item alone is larger
     * @param maxPending items that may wait; more are refused
     * @param executor runs batches that no caller's thread sends
     */
    public Batcher(
            Function<List<I>, List<O>> send,
            ToLongFunction<I> weigh,
            int maxCount,
            long maxBytes,
            int maxPending,
            Executor executor) {
        this.send = send;
        this.weigh = weigh;
        this.maxCount = maxCount;
        this.maxBytes = maxBytes;
        this.maxPending = maxPending;
        this.executor = executor;
    }

    /**
     * Hands over items that belong together: they go in one batch where that is not too large for one.
     *
     * <p>What depends on the answer may run on the thread that sends. It may call this again with {@code here} and wait;
     * anything else that blocks there delays all callers.
     *
     * @param here whether the caller's thread may send a batch: right for a caller that waits for the answer anyway
     * @return the answers in order, or what {@code send} threw for a batch that held some of them
     */
    public CompletableFuture<List<O>> submit(List<I> items, boolean here) {
        var groups = split(items);
        boolean lead;
        synchronized (lock) {
            if (pendingItems > 0 && pendingItems + items.size() > maxPending) {
                return CompletableFuture.failedFuture(new BrokerException.NotApplied(
                        "too many items wait to be sent: " + pendingItems + " of at most " + maxPending
                                + "; the broker is slower than what is handed over: wait for answers before going on",
                        null));
            }
            pending.addAll(groups);
            pendingItems += items.size();
            lead = !busy;
            busy = true;
        }
        if (lead && here) {
            sendOne();
        }
        if (lead) {
            continueElsewhere();
        } else if (here && isSentHere()) {
            // Called by what depends on an answer: waiting for the sender would be waiting for this thread.
            while (groups.stream().anyMatch(group -> !group.answer.isDone())) {
                sendOne();
            }
        }
        return joined(groups);
    }

    /** Whether a batch is on its way: what is handed over now waits for it. */
    public boolean isBusy() {
        synchronized (lock) {
            return busy;
        }
    }

    /** Whether this thread is sending a batch of this batcher: something that depends on an answer asks. */
    public boolean isSentHere() {
        return sender == Thread.currentThread();
    }

    private void continueElsewhere() {
        synchronized (lock) {
            if (pending.isEmpty()) {
                busy = false;
                return;
            }
        }
        try {
            executor.execute(this::sendAll);
        } catch (RuntimeException | OutOfMemoryError e) {
            // No other thread can be had: this one does it, or what waits would wait for ever.
            sendAll();
        }
    }

    private void sendAll() {
        while (true) {
            synchronized (lock) {
                if (pending.isEmpty()) {
                    busy = false;
                    return;
                }
            }
            sendOne();
        }
    }

    private void sendOne() {
        var batch = nextBatch();
        if (batch.isEmpty()) {
            return;
        }
        var outer = sender;
        sender = Thread.currentThread();
        try {
            sendBatch(batch);
        } finally {
            sender = outer;
        }
    }

    private List<Group<I, O>> nextBatch() {
        var batch = new ArrayList<Group<I, O>>();
        var count = 0;
        var bytes = 0L;
        synchronized (lock) {
            while (!pending.isEmpty()) {
                var group = pending.peek();
                if (!batch.isEmpty() && (count + group.items.size() > maxCount || bytes + group.bytes > maxBytes)) {
                    break;
                }
                batch.add(pending.remove());
                count += group.items.size();
                bytes += group.bytes;
            }
            pendingItems -= count;
        }
        return batch;
    }

    private void sendBatch(List<Group<I, O>> batch) {
        List<O> answers;
        try {
            var items = new ArrayList<I>();
            batch.forEach(group -> items.addAll(group.items));
            answers = send.apply(items);
            if (answers.size() != items.size()) {
                throw new IllegalStateException(
                        "a batch of " + items.size() + " items got " + answers.size() + " answers");
            }
        } catch (BrokerException.Rejected e) {
            if (batch.size() == 1) {
                batch.get(0).answer.completeExceptionally(e);
            } else {
                // One bad item must not fail its neighbours: halve until it stands alone.
                sendBatch(batch.subList(0, batch.size() / 2));
                sendBatch(batch.subList(batch.size() / 2, batch.size()));
            }
            return;
        } catch (Throwable e) {
            batch.forEach(group -> group.answer.completeExceptionally(e));
            return;
        }
        var from = 0;
        for (var group : batch) {
            group.answer.complete(List.copyOf(answers.subList(from, from + group.items.size())));
            from += group.items.size();
        }
    }

    private List<Group<I, O>> split(List<I> items) {
        var groups = new ArrayList<Group<I, O>>();
        var from = 0;
        var bytes = 0L;
        for (var i = 0; i < items.size(); i++) {
            var weight = weigh.applyAsLong(items.get(i));
            if (i > from && (i - from == maxCount || bytes + weight > maxBytes)) {
                groups.add(new Group<>(List.copyOf(items.subList(from, i)), bytes, new CompletableFuture<>()));
                from = i;
                bytes = 0;
            }
            bytes += weight;
        }
        if (from < items.size()) {
            groups.add(new Group<>(List.copyOf(items.subList(from, items.size())), bytes, new CompletableFuture<>()));
        }
        return groups;
    }

    private CompletableFuture<List<O>> joined(List<Group<I, O>> groups) {
        if (groups.size() == 1) {
            return groups.get(0).answer;
        }
        var all = groups.stream().map(group -> group.answer).toList();
        return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
                .thenApply(done ->
                        all.stream().flatMap(answer -> answer.join().stream()).toList());
    }

    private record Group<I, O>(List<I> items, long bytes, CompletableFuture<List<O>> answer) {}
}
