package dev.belay.docs;

import dev.belay.Belay;
import dev.belay.Worker;
import dev.belay.broker.Broker;
import dev.belay.docs.TenLines.Receipt;
import dev.belay.handler.Enqueued;
import dev.belay.job.JobType;
import dev.belay.job.RetryPolicy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** What getting started shows, step by step. */
final class GettingStarted {

    static final JobType<Receipt> SEND_RECEIPT =
            JobType.define("send-receipt", Receipt.class).queue("mail").build();

    static final JobType<Customer> SYNC_CUSTOMER = JobType.of("sync-customer", Customer.class);

    // snippet: define-type
    record Charge(long orderId, String amount) {}

    static final JobType<Charge> CHARGE = JobType.define("charge-card", Charge.class)
            .queue("payments")
            .timeout(Duration.ofSeconds(20))
            .maxAttempts(8)
            .requireKey()
            .retry(RetryPolicy.DEFAULT.never(CardDeclined.class))
            .build();
    // end

    record Customer(String email, long orderId) {}

    record Response(int status, Duration retryAfter) {}

    static final class CardDeclined extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    interface Provider {
        void charge(String key, String amount);
    }

    interface Mailer {
        void send(String to);
    }

    interface Crm {
        Response put(Customer customer);
    }

    /** A worker and the broker that it works on. */
    record Running(Broker broker, Worker worker) {}

    static Running runWorker(Path file, Provider provider, Mailer mailer) {
        // snippet: run-worker
        var broker = Broker.open("sqlite:" + file);
        var worker = Worker.on(broker)
                .queue("payments", 4)
                .queue("mail", 10)
                .handle(CHARGE, (charge, context) -> provider.charge(context.idempotencyKey(), charge.amount()))
                .handle(SEND_RECEIPT, (receipt, context) -> mailer.send(receipt.to()))
                .start();
        // end
        return new Running(broker, worker);
    }

    static List<Enqueued> enqueue(Broker broker) {
        // snippet: enqueue
        var belay = Belay.on(broker);

        var first = belay.enqueue(CHARGE.with(new Charge(42, "19.90")).key("order-42"));
        var again = belay.enqueue(CHARGE.with(new Charge(42, "19.90")).key("order-42"));
        // again.duplicate() is true, and again.id() is first.id()

        belay.enqueue(SEND_RECEIPT.with(new Receipt("ann@example.org", 42)).delay(Duration.ofMinutes(5)));
        // end
        belay.close();
        return List.of(first, again);
    }

    static void signals(Worker.Builder worker, Crm crm) {
        // snippet: signals
        worker.handle(SYNC_CUSTOMER, (customer, context) -> {
            var response = crm.put(customer);
            if (response.status() == 503) {
                throw context.retryAfter(response.retryAfter(), "the CRM is overloaded");
            }
            if (response.status() == 410) {
                throw context.bury("the customer was deleted");
            }
            context.progress("synced");
            context.followUp(SEND_RECEIPT.with(new Receipt(customer.email(), customer.orderId())));
        });
        // end
    }
}
