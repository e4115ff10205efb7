package dev.belay.docs;

import dev.belay.Belay;
import dev.belay.handler.Enqueued;
import dev.belay.job.JobType;
import java.time.Duration;

/** The code of docs/duplicates.md. */
final class Duplicates {

    record Charge(long orderId, String amount) {}

    record Customer(long id, String email) {}

    // snippet: once
    static final JobType<Charge> CHARGE = JobType.define("charge-card", Charge.class)
            .queue("payments")
            .requireKey()
            .dedupWindow(Duration.ofDays(7))
            .build();
    // end

    // snippet: debounce
    static final JobType<Customer> SYNC = JobType.define("sync-customer", Customer.class)
            .replaceWaiting()
            .atMostOneWaiting()
            .build();
    // end

    private Duplicates() {}

    static Enqueued newest(Belay belay) {
        // snippet: newest
        belay.enqueue(
                SYNC.with(new Customer(7, "ann@old.example")).key("customer-7").delay(Duration.ofMinutes(1)));
        var second = belay.enqueue(
                SYNC.with(new Customer(7, "ann@new.example")).key("customer-7").replaceWaiting());
        // second.replaced() is true: one job, which syncs ann@new.example
        // end
        return second;
    }
}
