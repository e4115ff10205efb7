package dev.belay.engine;

import dev.belay.broker.BrokerException;
import dev.belay.broker.Settlement;
import dev.belay.broker.Verdict;
import dev.belay.job.JobError;
import dev.belay.job.Outcome;
import dev.belay.time.Retrying;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends one queue's outcomes, in batches that form by themselves. An outcome is kept until the broker has answered it,
 * through an outage of any length.
 */
final class Settler implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(Settler.class);

    private static final int CAPACITY = 10_000;
    private static final int BATCH = 1_000;
    private static final long IDLE_MILLIS = 100;

    /**
     * One outcome on its way.
     *
     * @param delivery null for a lease that this worker does not know
     * @param inTransaction whether its handler completed it in a transaction: then the outcome is for the case that this
     *     was not committed; once that is known, whether it was
     */
    record Item(Settlement settlement, @Nullable Delivery delivery, Duration ran, boolean inTransaction) {

        Item with(Outcome other) {
            return new Item(new Settlement(settlement.lease(), other, null), delivery, ran, inTransaction);
        }
    }

    private final String queue;
    private final Parts parts;
    private final SettleAnswers answers;
    private final BlockingQueue<Item> outcomes = new ArrayBlockingQueue<>(CAPACITY);
    private final AtomicInteger pending = new AtomicInteger();
    private final CountDownLatch stop = new CountDownLatch(1);
    private final Thread thread;

    Settler(String queue, Parts parts) {
        this.queue = queue;
        this.parts = parts;
        this.answers = new SettleAnswers(parts);
        this.thread = new Thread(this, "belay-settle-" + queue);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Hands an outcome over; waits while too many are under way, which keeps slots from running ahead of the broker. */
    void add(Item item) {
        pending.incrementAndGet();
        var interrupted = false;
        while (true) {
            try {
                outcomes.put(item);
                break;
            } catch (InterruptedException e) {
                // An outcome is never dropped: remember the interrupt for whoever meant it.
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    int pending() {
        return pending.get();
    }

    /** @return whether all outcomes were answered in time */
    boolean stop(Duration atMost) {
        stop.countDown();
        try {
            thread.join(Math.max(1, atMost.toMillis()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return pending.get() == 0;
    }

    @Override
    public void run() {
        var batch = new ArrayList<Item>(BATCH);
        while (stop.getCount() > 0 || pending.get() > 0) {
            try {
                var first = outcomes.poll(IDLE_MILLIS, TimeUnit.MILLISECONDS);
                if (first != null) {
                    batch.add(first);
                    outcomes.drainTo(batch, BATCH - 1);
                    sendResolved(batch);
                }
            } catch (Throwable e) {
                LOG.error("The settler of queue {} failed on a batch of {}; it goes on", queue, batch.size(), e);
            } finally {
                pending.addAndGet(-batch.size());
                batch.clear();
            }
        }
    }

    private void sendResolved(List<Item> batch) {
        var resolved = resolved(batch);
        if (resolved != null) {
            send(resolved, false);
        }
    }

    /** What became of handlers' transactions: asked for as long as outcomes are sent. Null where that ended first. */
    private @Nullable List<Item> resolved(List<Item> batch) {
        var patience = new Patience(batch.size());
        while (true) {
            try {
                return CompletionCheck.resolve(parts.broker(), batch);
            } catch (Throwable e) {
                if (!patience.isLeftAfter(e)) {
                    return null;
                }
            }
        }
    }

    /** Sends a batch until it is answered. {@code uncertain}: an earlier try may have been applied. */
    private void send(List<Item> batch, boolean uncertain) {
        var patience = new Patience(batch.size());
        while (true) {
            try {
                var verdicts = parts.broker()
                        .settle(queue, batch.stream().map(Item::settlement).toList());
                answered(batch, verdicts, uncertain);
                return;
            } catch (BrokerException.Rejected e) {
                rejected(batch, uncertain, e);
                return;
            } catch (Throwable e) {
                uncertain |= !(e instanceof BrokerException.NotApplied);
                if (!patience.isLeftAfter(e)) {
                    return;
                }
            }
        }
    }

    /** The patience of one batch with a broker that does not answer. */
    private final class Patience {
        private final Retrying retrying =
                new Retrying(Duration.ofMillis(50), parts.timing().reconnect());
        private final int size;
        private int tries;

        Patience(int size) {
            this.size = size;
        }

        /**
         * A try has failed: tells it, and waits before the next.
         *
         * @return false where the worker is stopping and has waited long enough
         */
        boolean isLeftAfter(Throwable e) {
            tries++;
            parts.problems().brokerFails(e);
            if (!(e instanceof BrokerException)) {
                LOG.error("Settling {} jobs of queue {} failed; it is tried again", size, queue, e);
            } else if (tries == 2) {
                // Once is nothing; from here on it may last.
                LOG.warn(
                        "The outcomes of {} jobs of queue {} could not be told to the broker; they are kept and sent again: {}",
                        size,
                        queue,
                        e.getMessage());
            }
            if (waited(retrying.next())) {
                return true;
            }
            LOG.warn(
                    "Stopping with {} outcomes of queue {} that the broker has not answered: their jobs will be delivered again",
                    size,
                    queue);
            return false;
        }
    }

    private void answered(List<Item> batch, List<Verdict> verdicts, boolean uncertain) {
        for (var i = 0; i < batch.size(); i++) {
            answers.answered(batch.get(i), verdicts.get(i), uncertain);
        }
    }

    /** One bad outcome must not hold up the others: halve until it stands alone, then say less. */
    private void rejected(List<Item> batch, boolean uncertain, BrokerException.Rejected e) {
        if (batch.size() > 1) {
            send(batch.subList(0, batch.size() / 2), uncertain);
            send(batch.subList(batch.size() / 2, batch.size()), uncertain);
            return;
        }
        var item = batch.get(0);
        if (item.settlement().outcome() instanceof Outcome.Release) {
            LOG.error(
                    "The broker refused even to take job {} back; its reaper will",
                    item.settlement().lease(),
                    e);
            return;
        }
        LOG.error(
                "The broker refused the outcome of job {}: it is retried",
                item.settlement().lease(),
                e);
        var error = new JobError("OUTCOME_REFUSED", String.valueOf(e.getMessage()), "", "OUTCOME_REFUSED");
        var instead = item.delivery() == null
                ? new Outcome.Release(false)
                : new Outcome.Retry(Duration.ofSeconds(1), false, error);
        send(
                List.of(item.with(
                        item.settlement().outcome() instanceof Outcome.Retry ? new Outcome.Release(true) : instead)),
                uncertain);
    }

    /** @return false where the worker is stopping and has waited long enough */
    private boolean waited(Duration wait) {
        try {
            if (stop.getCount() > 0) {
                stop.await(wait.toNanos(), TimeUnit.NANOSECONDS);
            } else {
                TimeUnit.NANOSECONDS.sleep(wait.toNanos());
            }
        } catch (InterruptedException e) {
            return !parts.isStopping();
        }
        return stop.getCount() > 0 || !parts.isAbandoned();
    }
}
