package dev.belay.docs;

import dev.belay.Belay;
import dev.belay.Worker;
import dev.belay.broker.Broker;
import dev.belay.job.JobType;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The README's ten lines. */
final class TenLines {

    final List<Receipt> mailed = new CopyOnWriteArrayList<>();

    // snippet: ten-lines
    record Receipt(String to, long orderId) {}

    static final JobType<Receipt> SEND_RECEIPT = JobType.of("send-receipt", Receipt.class);

    void run() {
        var broker = Broker.open("sqlite:belay.db");
        var worker = Worker.on(broker)
                .queue("default", 10)
                .handle(SEND_RECEIPT, (receipt, context) -> mail(receipt))
                .start();
        var belay = Belay.on(broker);
        belay.enqueue(SEND_RECEIPT.with(new Receipt("ann@example.org", 42)).key("receipt-42"));
    }
    // end

    private void mail(Receipt receipt) {
        mailed.add(receipt);
    }
}
