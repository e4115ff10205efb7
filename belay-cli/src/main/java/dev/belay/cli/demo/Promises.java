package dev.belay.cli.demo;

import dev.belay.job.DeadReason;
import dev.belay.job.Job;
import dev.belay.job.JobState;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.imageio.ImageIO;

/** Checks the evidence against what was promised. */
final class Promises {

    private final Evidence evidence;
    private final Map<String, Order> orders = new HashMap<>();

    Promises(Evidence evidence) {
        this.evidence = evidence;
        evidence.orders().forEach(order -> orders.put(order.order(), order));
    }

    List<Promise> check() {
        var promises = new ArrayList<Promise>();
        promises.add(new Promise("every accepted job is in exactly one final state: none was lost", lost()));
        promises.add(new Promise("a button pressed twice makes no second job", strangers()));
        promises.add(new Promise("every paid order was charged exactly once, whatever was asked how often", charges()));
        promises.add(new Promise(
                "a charge in whose middle the payment provider died, made or not, was asked for again under its key",
                interrupted()));
        promises.add(new Promise("every receipt is in its mailbox, every letter of it intact", receipts()));
        promises.add(new Promise("every picture has its thumbnail", thumbnails()));
        promises.add(new Promise("every customer is in the CRM under the right name", customers()));
        promises.add(
                new Promise("the dead letters are the hopeless jobs, for the right reason, and no others", dead()));
        if (evidence.killWanted()) {
            promises.add(new Promise("a killed worker's jobs were taken back and finished by others", crashes()));
        }
        promises.add(new Promise("no worker ended by itself", evidence.endedUnasked()));
        return promises;
    }

    private List<String> lost() {
        var broken = new ArrayList<String>();
        if (!evidence.inTime()) {
            broken.add("time was up before all jobs were final");
        }
        evidence.accepted().forEach((id, accepted) -> {
            var records = evidence.found().getOrDefault(id, List.of());
            var name = accepted.type() + " of order " + accepted.order() + " (job " + id + ")";
            if (records.isEmpty()) {
                broken.add(name + " is nowhere");
            } else if (records.size() > 1) {
                broken.add(name + " is there " + records.size() + " times");
            } else if (!records.get(0).state().isFinal()) {
                broken.add(name + " is still " + records.get(0).state());
            }
        });
        return broken;
    }

    private List<String> strangers() {
        return evidence.found().keySet().stream()
                .filter(id -> !evidence.accepted().containsKey(id))
                .map(id -> "nobody asked for job " + id)
                .toList();
    }

    private List<String> charges() {
        var made = new TreeMap<String, Integer>();
        evidence.charges().values().forEach(counts -> made.merge(counts.order(), counts.made(), Integer::sum));
        var broken = new ArrayList<String>();
        made.forEach((order, count) -> {
            if (count > 1) {
                broken.add("order " + order + " was charged " + count + " times");
            }
        });
        succeeded(ShopJobs.CHARGE_CARD.name()).forEach(order -> {
            if (made.getOrDefault(order.order(), 0) == 0) {
                broken.add("order " + order.order() + " counts as paid, but was never charged");
            }
            var counts = evidence.charges().get(ShopJobs.chargeKey(order.order()));
            if (counts == null || counts.cents() != order.cents()) {
                broken.add("order " + order.order() + " was not charged under its own key with its own amount");
            }
        });
        return broken;
    }

    private List<String> interrupted() {
        var broken = new ArrayList<String>();
        for (var death : evidence.deaths()) {
            var counts = evidence.charges().get(ShopJobs.chargeKey(death.order()));
            var name = "the charge of order " + death.order() + ", " + (death.made() ? "made" : "not made")
                    + " when the provider died,";
            if (counts == null || counts.asked() < 2) {
                broken.add(name + " was not asked for again");
            } else if (counts.made() != 1) {
                broken.add(name + " was made " + counts.made() + " times");
            }
        }
        return broken;
    }

    private List<String> receipts() {
        return succeeded(ShopJobs.SEND_RECEIPT.name()).stream()
                .filter(order -> evidence.mails().getOrDefault(order.order(), List.of()).stream()
                        .noneMatch(
                                mail -> mail.subject().equals(order.receiptOf().subject())
                                        && lines(mail.text())
                                                .equals(lines(order.receiptOf().text()))))
                .map(order -> "the receipt of order " + order.order() + " is in no mailbox as it was written")
                .toList();
    }

    private List<String> thumbnails() {
        var broken = new ArrayList<String>();
        for (var order : succeeded(ShopJobs.RESIZE_PICTURE.name())) {
            var file = Thumbnails.thumbnail(evidence.folder(), order.order());
            try {
                var source = ImageIO.read(Thumbnails.pictures(evidence.folder())
                        .resolve(String.valueOf(order.picture()))
                        .toFile());
                var made = Files.exists(file) ? ImageIO.read(file.toFile()) : null;
                var scale = Math.min(
                        (double) Thumbnails.WIDTH / source.getWidth(), (double) Thumbnails.HEIGHT / source.getHeight());
                var size = Math.round(source.getWidth() * scale) + "×" + Math.round(source.getHeight() * scale);
                var found = made == null ? "no picture" : made.getWidth() + "×" + made.getHeight();
                if (!size.equals(found)) {
                    broken.add("the thumbnail " + file + " should be " + size + ", but is " + found);
                }
            } catch (IOException e) {
                broken.add("the thumbnail " + file + " can't be read: " + e.getMessage());
            }
        }
        return broken;
    }

    private List<String> customers() {
        return succeeded(ShopJobs.SYNC_CUSTOMER.name()).stream()
                .filter(order -> !order.customer()
                        .name()
                        .equals(evidence.crmNames().get(order.customer().id())))
                .map(order -> "customer " + order.customer().id() + " is in the CRM as "
                        + evidence.crmNames().get(order.customer().id()))
                .toList();
    }

    private List<String> dead() {
        var expected = new TreeMap<String, String>();
        for (var order : evidence.orders()) {
            if (order.isHopelessCharge()) {
                expected.put(order.order() + " " + ShopJobs.CHARGE_CARD.name(), DeadReason.NOT_RETRYABLE.name());
            }
            if (order.isUnreadablePicture()) {
                expected.put(order.order() + " " + ShopJobs.RESIZE_PICTURE.name(), DeadReason.UNDECODABLE.name());
            }
        }
        var found = new TreeMap<String, String>();
        evidence.accepted().forEach((id, accepted) -> {
            var job = evidence.job(id);
            if (job != null && job.state() != JobState.SUCCEEDED && job.state().isFinal()) {
                found.put(accepted.order() + " " + accepted.type(), String.valueOf(job.reason()));
            }
        });
        var broken = new ArrayList<String>();
        expected.forEach((job, reason) -> {
            if (!reason.equals(found.get(job))) {
                broken.add(job + " should be dead as " + reason + ", but is "
                        + (found.containsKey(job) ? found.get(job) : "no dead letter"));
            }
        });
        found.forEach((job, reason) -> {
            if (!expected.containsKey(job)) {
                broken.add(job + " should have succeeded, but is dead as " + reason);
            }
        });
        return broken;
    }

    private List<String> crashes() {
        if (evidence.kill() == null) {
            return List.of("no worker came to be killed in mid-work");
        }
        var recovered = evidence.accepted().keySet().stream()
                .map(evidence::job)
                .filter(job -> job != null && job.counts().crashes() > 0 && job.state() == JobState.SUCCEEDED)
                .count();
        var broken = new ArrayList<String>();
        if (evidence.crashed() == 0) {
            broken.add("no crashed delivery was counted");
        }
        if (recovered == 0) {
            broken.add("no job that crashed has succeeded");
        }
        return broken;
    }

    /** The orders whose job of a type has succeeded. */
    private List<Order> succeeded(String type) {
        var succeeded = new ArrayList<Order>();
        evidence.accepted().forEach((id, accepted) -> {
            Job job = evidence.job(id);
            var order = orders.get(accepted.order());
            if (accepted.type().equals(type) && order != null && job != null && job.state() == JobState.SUCCEEDED) {
                succeeded.add(order);
            }
        });
        return succeeded;
    }

    private static List<String> lines(String text) {
        return text.strip().lines().toList();
    }
}
