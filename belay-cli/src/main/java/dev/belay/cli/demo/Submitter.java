package dev.belay.cli.demo;

import dev.belay.Belay;
import dev.belay.job.JobId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The shop's counters: take orders at an even pace, and enqueue the jobs of each. Every tenth customer presses the button
 * twice.
 */
final class Submitter {

    private static final double ORDERS_PER_SECOND = 60;
    private static final double SECONDS_AT_LEAST = 3;
    private static final int COUNTERS = 3;
    private static final int PRESSED_TWICE_ONE_IN = 10;

    private final Belay belay;
    private final List<Order> orders;
    private final Map<JobId, Accepted> accepted = new ConcurrentHashMap<>();
    private final AtomicInteger duplicates = new AtomicInteger();

    /** A job that was accepted: its enqueue has returned. */
    record Accepted(String order, String type) {}

    Submitter(Belay belay, List<Order> orders) {
        this.belay = belay;
        this.orders = orders;
    }

    /** Takes all orders: at several counters, which share the pace. */
    void run() throws InterruptedException {
        var seconds = Math.max(SECONDS_AT_LEAST, orders.size() / ORDERS_PER_SECOND);
        var nanosEach = (long) (seconds * 1e9 / orders.size());
        var start = System.nanoTime();
        var next = new AtomicInteger();
        var counters = Executors.newFixedThreadPool(COUNTERS);
        try {
            var open = new ArrayList<Future<?>>();
            for (var i = 0; i < COUNTERS; i++) {
                open.add(counters.submit(() -> {
                    for (var n = next.getAndIncrement(); n < orders.size(); n = next.getAndIncrement()) {
                        TimeUnit.NANOSECONDS.sleep(Math.max(0, start + n * nanosEach - System.nanoTime()));
                        take(orders.get(n), n % PRESSED_TWICE_ONE_IN == 0);
                    }
                    return null;
                }));
            }
            for (var counter : open) {
                counter.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("an order could not be taken: " + e.getCause(), e.getCause());
        } finally {
            counters.shutdownNow();
        }
    }

    private void take(Order order, boolean twice) {
        var jobs = order.jobs();
        var answers = belay.enqueueAll(jobs);
        for (var i = 0; i < jobs.size(); i++) {
            accepted.put(
                    answers.get(i).id(),
                    new Accepted(order.order(), jobs.get(i).type().name()));
        }
        if (twice) {
            var again = belay.enqueue(order.chargeJob());
            if (again.duplicate()) {
                duplicates.incrementAndGet();
            } else {
                // Counted as accepted: then the promise about charges tells.
                accepted.put(again.id(), new Accepted(order.order(), ShopJobs.CHARGE_CARD.name()));
            }
        }
    }

    /** Jobs accepted so far. */
    Map<JobId, Accepted> accepted() {
        return accepted;
    }

    /** Second enqueues that were answered with the first one's job. */
    int duplicates() {
        return duplicates.get();
    }
}
