package dev.belay.cli.demo;

import dev.belay.broker.BrokerAdmin;
import dev.belay.broker.Event;
import dev.belay.broker.Histogram;
import dev.belay.broker.JobQuery;
import dev.belay.broker.StatisticsQuery;
import dev.belay.broker.TimesDelta;
import dev.belay.cli.demo.world.MailServer;
import dev.belay.cli.demo.world.PaymentProvider;
import dev.belay.cli.demo.world.World;
import dev.belay.job.Job;
import dev.belay.job.JobId;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is found when all is over: in the store, and in the world outside, which knows nothing of Belay.
 *
 * @param accepted every job whose enqueue has returned
 * @param found every record of a job in the store, by id; more than one would be a mistake
 * @param crashed deliveries counted as crashed by the broker
 * @param times waits and runs by type
 * @param kill null where no worker was killed
 * @param endedUnasked workers that ended although nobody ended them
 * @param inTime whether all jobs were final before time was up
 */
record Evidence(
        List<Order> orders,
        Map<JobId, Submitter.Accepted> accepted,
        int duplicates,
        Map<JobId, List<Job>> found,
        long crashed,
        List<TimesDelta> times,
        Map<String, PaymentProvider.Counts> charges,
        Map<String, List<MailServer.Mail>> mails,
        Map<String, String> crmNames,
        World world,
        Path folder,
        Killer.@Nullable Kill kill,
        boolean killWanted,
        List<String> endedUnasked,
        boolean inTime) {

    private static final int PAGE = 1_000;

    static Evidence collect(
            List<Order> orders,
            Submitter submitter,
            BrokerAdmin admin,
            World world,
            Path folder,
            Killer.@Nullable Kill kill,
            boolean killWanted,
            List<String> endedUnasked,
            boolean inTime) {
        return new Evidence(
                orders,
                Map.copyOf(submitter.accepted()),
                submitter.duplicates(),
                jobs(admin),
                admin.statistics(StatisticsQuery.TOTAL).stream()
                        .filter(count -> count.event() == Event.CRASHED)
                        .mapToLong(count -> count.count())
                        .sum(),
                admin.times(StatisticsQuery.TOTAL),
                world.payments().counts(),
                world.mail().received(),
                world.crm().names(),
                world,
                folder,
                kill,
                killWanted,
                endedUnasked,
                inTime);
    }

    /** All jobs of the store's namespace. */
    private static Map<JobId, List<Job>> jobs(BrokerAdmin admin) {
        var found = new HashMap<JobId, List<Job>>();
        String cursor = null;
        do {
            var page = admin.list(JobQuery.ALL, cursor, PAGE);
            page.jobs()
                    .forEach(job -> found.computeIfAbsent(job.id(), id -> new ArrayList<>())
                            .add(job));
            cursor = page.next();
        } while (cursor != null);
        return found;
    }

    /** The record of a job; null where there is none, or more than one. */
    @Nullable
    Job job(JobId id) {
        var records = found.getOrDefault(id, List.of());
        return records.size() == 1 ? records.get(0) : null;
    }

    /** When the payment provider died in the middle of a charge. */
    List<PaymentProvider.Death> deaths() {
        return world.payments().deaths();
    }

    /** The merged times of a kind, of one type or of all. */
    Histogram times(TimesDelta.Kind kind, @Nullable String type) {
        var merged = new Histogram();
        times.stream()
                .filter(delta ->
                        delta.kind() == kind && (type == null || delta.type().equals(type)))
                .forEach(delta -> merged.add(delta.histogram()));
        return merged;
    }
}
