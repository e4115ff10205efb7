package dev.belay.cli.demo;

import dev.belay.Worker;
import dev.belay.broker.Broker;
import dev.belay.cli.demo.world.World;
import dev.belay.once.Ledger;
import java.nio.file.Path;
import java.time.Duration;

/** The shop's worker: its queues, its handlers, and short leases, so that a crash is healed within seconds. */
final class ShopWorker {

    static final Duration LEASE = Duration.ofSeconds(3);
    static final Duration HEARTBEAT = Duration.ofSeconds(1);
    static final Duration REAP_INTERVAL = Duration.ofMillis(500);
    static final Duration REAP_GRACE = Duration.ofMillis(1_500);

    private static final Duration RECONNECT = Duration.ofMillis(400);
    private static final Duration DRAIN = Duration.ofSeconds(5);

    private ShopWorker() {}

    /** Where the shop records what it charged, unless it is told where. */
    static String ledger(Path folder) {
        return "sqlite:" + folder.resolve("ledger.db");
    }

    static Worker start(Broker broker, Ledger ledger, String name, World.Address world, Path folder) {
        var mailer = new Mailer(world.smtpPort());
        var thumbnails = new Thumbnails(folder);
        var client = new ShopClient(world, name);
        return Worker.on(broker)
                .name(name)
                .ledger(ledger)
                .queue(ShopJobs.MAIL, 4)
                .queue(ShopJobs.PICTURES, 2)
                .queue(ShopJobs.CRM, 8)
                .queue(ShopJobs.PAYMENTS, 4)
                .handle(ShopJobs.SEND_RECEIPT, mailer::send)
                .handle(ShopJobs.RESIZE_PICTURE, (picture, context) -> thumbnails.make(picture))
                .handle(ShopJobs.SYNC_CUSTOMER, client::sync)
                .handle(ShopJobs.CHARGE_CARD, client::charge)
                .leaseDuration(LEASE)
                .heartbeat(HEARTBEAT)
                .reconnectBackoff(RECONNECT)
                .drainTimeout(DRAIN)
                .start();
    }
}
