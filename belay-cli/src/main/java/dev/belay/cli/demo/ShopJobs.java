package dev.belay.cli.demo;

import dev.belay.job.Backoff;
import dev.belay.job.JobType;
import dev.belay.job.RetryPolicy;
import java.time.Duration;
import java.util.List;

/** The shop's kinds of jobs, and what they carry. */
final class ShopJobs {

    static final String MAIL = "mail";
    static final String PICTURES = "pictures";
    static final String CRM = "crm";
    static final String PAYMENTS = "payments";

    static final List<String> QUEUES = List.of(MAIL, PICTURES, CRM, PAYMENTS);

    private static final RetryPolicy SOON =
            RetryPolicy.with(Backoff.exponential(Duration.ofMillis(200), 2, Duration.ofSeconds(2)));

    static final JobType<Receipt> SEND_RECEIPT = JobType.define("send-receipt", Receipt.class)
            .queue(MAIL)
            .timeout(Duration.ofSeconds(10))
            .retry(SOON)
            .build();

    static final JobType<Picture> RESIZE_PICTURE = JobType.define("resize-picture", Picture.class)
            .queue(PICTURES)
            .priority(3)
            .timeout(Duration.ofSeconds(20))
            .retry(SOON)
            .build();

    static final JobType<Customer> SYNC_CUSTOMER = JobType.define("sync-customer", Customer.class)
            .queue(CRM)
            .maxAttempts(10)
            .timeout(Duration.ofSeconds(10))
            .retry(SOON)
            .build();

    static final JobType<Charge> CHARGE_CARD = JobType.define("charge-card", Charge.class)
            .queue(PAYMENTS)
            .priority(1)
            .requireKey()
            // A provider that is down refuses at once, so attempts go by fast.
            .maxAttempts(10)
            .timeout(Duration.ofSeconds(10))
            .retry(SOON.never(CardDeclinedException.class))
            .build();

    /** What a newer shop writes under the same name and version, by mistake: nothing here can read it. */
    static final JobType<PictureOfNewerShop> RESIZE_PICTURE_OF_NEWER_SHOP = JobType.define(
                    RESIZE_PICTURE.name(), PictureOfNewerShop.class)
            .queue(PICTURES)
            .priority(3)
            .retry(SOON)
            .build();

    private ShopJobs() {}

    /** The idempotency key of an order's charge. */
    static String chargeKey(String order) {
        return "charge-" + order;
    }

    record Receipt(
            String order, String name, String email, List<String> goods, long cents, String currency, String note) {

        /** The subject of the mail. */
        String subject() {
            return "Your order " + order + ", " + name;
        }

        /** The text of the mail. */
        String text() {
            return name + ",\n\nthank you for " + String.join(", ", goods) + ".\nYou paid " + cents / 100 + "."
                    + String.format(java.util.Locale.ROOT, "%02d", cents % 100) + " " + currency + ".\n\nYou wrote: "
                    + note + "\n";
        }
    }

    record Picture(String order, String file) {}

    record PictureOfNewerShop(String order, Source file) {
        record Source(String store, int frame) {}
    }

    record Customer(String order, String id, String name, String town) {}

    record Charge(String order, long cents, String currency, String card) {}

    /** What a charge results in. */
    record Charged(String charge, String order) {}

    /** The card was declined: asking again won't help. */
    static final class CardDeclinedException extends Exception {
        private static final long serialVersionUID = 1;

        CardDeclinedException(String order, String card) {
            super("card " + card + " was declined for order " + order);
        }
    }
}
