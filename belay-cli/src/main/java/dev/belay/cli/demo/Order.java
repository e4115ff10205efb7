package dev.belay.cli.demo;

import dev.belay.cli.demo.ShopJobs.Charge;
import dev.belay.cli.demo.ShopJobs.Customer;
import dev.belay.cli.demo.ShopJobs.Picture;
import dev.belay.cli.demo.ShopJobs.PictureOfNewerShop;
import dev.belay.cli.demo.ShopJobs.Receipt;
import dev.belay.cli.demo.world.PaymentProvider;
import dev.belay.job.JobRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A line of the orders file.
 *
 * @param picture the file of its picture; null where a newer shop wrote {@code pictureFromNewerShop} instead
 */
record Order(
        String order,
        Buyer customer,
        List<String> goods,
        long cents,
        String currency,
        String card,
        String note,
        @Nullable String picture,
        PictureOfNewerShop.@Nullable Source pictureFromNewerShop) {

    record Buyer(String id, String name, String email, String town) {}

    /** The same order under another number. */
    Order renumbered(String suffix) {
        return new Order(
                order + suffix,
                new Buyer(customer.id() + suffix, customer.name(), customer.email(), customer.town()),
                goods,
                cents,
                currency,
                card,
                note,
                picture,
                pictureFromNewerShop);
    }

    /** Whether its card is always declined. */
    boolean isHopelessCharge() {
        return card.equals(PaymentProvider.DECLINED_CARD);
    }

    /** Whether its picture's payload can't be read by anyone here. */
    boolean isUnreadablePicture() {
        return pictureFromNewerShop != null;
    }

    /** What is to be done for it in the background. */
    List<JobRequest<?>> jobs() {
        return List.of(chargeJob(), receiptJob(), pictureJob(), syncJob());
    }

    Receipt receiptOf() {
        return new Receipt(order, customer.name(), customer.email(), goods, cents, currency, note);
    }

    JobRequest<Charge> chargeJob() {
        return ShopJobs.CHARGE_CARD
                .with(new Charge(order, cents, currency, card))
                .key(ShopJobs.chargeKey(order))
                .groupKey(customer.id())
                .tag(order);
    }

    private JobRequest<Receipt> receiptJob() {
        return ShopJobs.SEND_RECEIPT.with(receiptOf()).tag(order);
    }

    private JobRequest<?> pictureJob() {
        var newer = pictureFromNewerShop;
        return newer != null
                ? ShopJobs.RESIZE_PICTURE_OF_NEWER_SHOP
                        .with(new PictureOfNewerShop(order, newer))
                        .tag(order)
                : ShopJobs.RESIZE_PICTURE
                        .with(new Picture(order, String.valueOf(picture)))
                        .tag(order);
    }

    private JobRequest<Customer> syncJob() {
        return ShopJobs.SYNC_CUSTOMER
                .with(new Customer(order, customer.id(), customer.name(), customer.town()))
                .tag(order);
    }
}
