package dev.belay.tck.model;

import dev.belay.broker.Broker;
import dev.belay.broker.BrokerAdmin.SessionView;
import dev.belay.broker.EventCount;
import dev.belay.broker.JobQuery;
import dev.belay.broker.Lease;
import dev.belay.broker.LeaseReply;
import dev.belay.broker.StatisticsQuery;
import dev.belay.broker.Verdict;
import dev.belay.job.HistoryEntry;
import dev.belay.job.Job;
import dev.belay.job.JobState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What is compared of an answer: everything but tokens, wording, and times that the state gives no meaning. */
final class Views {

    private final World world;

    Views(World world) {
        this.world = world;
    }

    List<String> jobs(Broker broker) {
        return sorted(list(broker), this::job);
    }

    private static List<Job> list(Broker broker) {
        var jobs = new ArrayList<Job>();
        @Nullable String cursor = null;
        do {
            var page = broker.admin().list(JobQuery.ALL, cursor, 500);
            jobs.addAll(page.jobs());
            cursor = page.next();
        } while (cursor != null);
        return jobs;
    }

    String job(Job job) {
        var times = job.times();
        var settled = job.lastSettled();
        return String.join(
                " ",
                "" + job.id(),
                job.queue(),
                job.type(),
                "" + job.state(),
                "" + job.reason(),
                "v" + job.schemaVersion() + " " + job.encoding() + " " + job.payloadSize(),
                "" + job.key(),
                "" + job.options(),
                "created " + time(times.createdAt()),
                "run " + (job.state() == JobState.SCHEDULED ? time(times.runAt()) : ""),
                "ready "
                        + (job.state() == JobState.READY || job.state() == JobState.RUNNING
                                ? time(times.readyAt())
                                : ""),
                "expires " + time(times.expiresAt()),
                "leased " + time(times.leasedAt()),
                "begun " + time(times.begunAt()),
                "finished " + time(times.finishedAt()),
                "unknown " + time(times.unknownSince()),
                "" + job.counts(),
                "token " + (job.token() > 0),
                "session " + job.session(),
                "settled " + (settled == null ? null : settled.session() + " " + settled.outcome()),
                "error " + job.lastError(),
                "progress " + job.progress(),
                "" + job.links(),
                "history " + job.historyCount());
    }

    private String time(@Nullable Long millis) {
        return millis == null ? "null" : "" + world.time(millis);
    }

    List<String> details(Broker broker) {
        return sorted(list(broker), job -> {
            var detail = broker.admin().find(job.queue(), job.id()).orElseThrow();
            return job.id() + " " + detail.payload() + " " + Arrays.toString(detail.result()) + " "
                    + detail.history().stream().map(this::entry).toList();
        });
    }

    private String entry(HistoryEntry entry) {
        return entry.kind() + " at " + time(entry.at()) + " attempt " + entry.attempt() + " token "
                + (entry.token() > 0) + " " + entry.worker() + " " + entry.by() + " " + entry.error();
    }

    List<String> queues(Broker broker) {
        return broker.admin().queues().stream()
                .map(view -> {
                    var counts = new TreeMap<JobState, Long>();
                    for (var state : JobState.values()) {
                        counts.put(state, view.count(state));
                    }
                    return view.queue() + " " + view.paused() + " " + view.settings() + " " + counts + " "
                            + view.liveSessions();
                })
                .toList();
    }

    List<String> sessions(Broker broker) {
        return sorted(broker.admin().sessions(), this::session);
    }

    private String session(SessionView session) {
        return session.spec() + " registered " + time(session.registeredAt()) + " deadline " + time(session.deadline())
                + " marked " + time(session.markedAt()) + " ended " + session.ended() + " in flight "
                + session.inFlight();
    }

    List<String> statistics(Broker broker) {
        return sorted(
                broker.admin().statistics(StatisticsQuery.TOTAL).stream()
                        .filter(count -> count.count() != 0)
                        .toList(),
                EventCount::toString);
    }

    List<String> deadGroups(Broker broker) {
        return sorted(
                broker.admin().deadGroups(null, 1_000).stream()
                        .filter(group -> group.count() > 0)
                        .toList(),
                group -> group.queue() + " " + group.type() + " " + group.fingerprint() + " " + group.count()
                        + " first " + time(group.firstSeen()) + " last " + time(group.lastSeen()));
    }

    List<String> cells(Broker broker) {
        return sorted(broker.cells().list("", 100), cell -> cell.key() + " " + Arrays.toString(cell.value()));
    }

    String lease(LeaseReply reply) {
        var due = reply.nextDue();
        return reply.status() + " " + sorted(reply.leases(), this::lease) + " suspect " + reply.suspectWaiting()
                + " due "
                + (due == null ? "null" : time(world.now() + due.toMillis())) + " expired "
                + sorted(reply.expired(), Object::toString);
    }

    private String lease(Lease lease) {
        return job(lease.job()) + " " + lease.payload() + " ready " + time(world.now() - lease.waitedMillis());
    }

    static List<String> verdicts(List<Verdict> verdicts) {
        return verdicts.stream().map(Views::verdict).toList();
    }

    /** A conflict without its words. */
    static String verdict(Verdict verdict) {
        return verdict instanceof Verdict.Conflict conflict
                ? "Conflict " + conflict.holder() + " " + conflict.state()
                : verdict.toString();
    }

    static <T> List<String> sorted(Collection<T> items, Function<T, String> view) {
        return items.stream().map(view).sorted(Comparator.naturalOrder()).toList();
    }
}
