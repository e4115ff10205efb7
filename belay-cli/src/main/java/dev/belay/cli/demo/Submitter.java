package dev.belay.cli.demo;

import dev.belay.Belay;
import dev.belay.job.JobId;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The shop's counter: takes orders at an even pace, and enqueues the jobs of each. Every tenth customer presses the button
 * twice.
 */
final class Submitter {

    private static final double ORDERS_PER_SECOND = 60;
    private static final double SECONDS_AT_LEAST = 3;
    private static final int PRESSED_TWICE_ONE_IN = 10;

    private final Belay belay;
    private final List<Order> orders;
    private final Map<JobId, Accepted> accepted = new ConcurrentHashMap<>();
    private final AtomicInteger duplicates = new AtomicInteger();
    private final AtomicInteger taken = new AtomicInteger();

    /** A job that was accepted: its enqueue has returned. */
    record Accepted(String order, String type) {}

    Submitter(Belay belay, List<Order> orders) {
        this.belay = belay;
        this.orders = orders;
    }

    /** Takes all orders. */
    void run() throws InterruptedException {
        var seconds = Math.max(SECONDS_AT_LEAST, orders.size() / ORDERS_PER_SECOND);
        var nanosEach = (long) (seconds * 1e9 / orders.size());
        var start = System.nanoTime();
        for (var i = 0; i < orders.size(); i++) {
            var wait = start + i * nanosEach - System.nanoTime();
            if (wait > 0) {
                Thread.sleep(wait / 1_000_000, (int) (wait % 1_000_000));
            }
            take(orders.get(i), i % PRESSED_TWICE_ONE_IN == 0);
            taken.incrementAndGet();
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

    /** Orders taken so far. */
    int taken() {
        return taken.get();
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
