package dev.belay.tck;

import static dev.belay.broker.Event.ACCEPTED;
import static dev.belay.broker.Event.BURIED;
import static dev.belay.broker.Event.CANCELLED_RUNNING;
import static dev.belay.broker.Event.CANCELLED_WAITING;
import static dev.belay.broker.Event.CRASHED;
import static dev.belay.broker.Event.DEAD;
import static dev.belay.broker.Event.DEAD_DROPPED;
import static dev.belay.broker.Event.DISCARDED;
import static dev.belay.broker.Event.FAILED;
import static dev.belay.broker.Event.LEASED;
import static dev.belay.broker.Event.PRUNED;
import static dev.belay.broker.Event.RELEASED;
import static dev.belay.broker.Event.REPLAYED;
import static dev.belay.broker.Event.RETURNED;
import static dev.belay.broker.Event.SNOOZED;
import static dev.belay.broker.Event.SUCCEEDED;

import dev.belay.broker.BrokerAdmin;
import dev.belay.broker.Event;
import dev.belay.broker.EventCount;
import dev.belay.broker.StatisticsQuery;
import dev.belay.job.Job;
import dev.belay.job.JobState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Compares the events of a queue, of all time, with the jobs that it has now. */
final class EventBalance {

    /** The type that stands for those beyond the first 500 of a queue. */
    private static final String OTHER = "other";

    private final String queue;
    private final long replaced;
    private final boolean damaged;
    private final boolean perQueueOnly;
    private final List<EventCount> events;

    /**
     * @param replaced replays with another payload: each is counted as REPLAYED and as DISCARDED
     * @param damaged whether records were damaged: jobs may have lost their types, and a final one that can't be read
     *     becomes DEAD too
     */
    EventBalance(BrokerAdmin admin, String queue, long replaced, boolean damaged) {
        this.queue = queue;
        this.replaced = replaced;
        events = admin.statistics(StatisticsQuery.TOTAL).stream()
                .filter(event -> event.queue().equals(queue))
                .toList();
        this.damaged = damaged;
        perQueueOnly = damaged || events.stream().anyMatch(event -> event.type().equals(OTHER));
    }

    void check(List<Job> jobs, List<String> problems) {
        events.stream().filter(event -> event.count() < 0).forEach(event -> problems.add("a negative count: " + event));
        var all = sums(type -> true);
        check("queue " + queue, all, jobs, problems);
        if (!damaged) {
            checkFinal(all, jobs, problems);
        }
        if (!perQueueOnly) {
            Map<String, List<Job>> byType = jobs.stream().collect(Collectors.groupingBy(Job::type));
            var types = events.stream().map(EventCount::type).collect(Collectors.toSet());
            types.addAll(byType.keySet());
            for (var type : types) {
                check(
                        "queue " + queue + ", type " + type,
                        sums(type::equals),
                        byType.getOrDefault(type, List.of()),
                        problems);
            }
        }
    }

    private static void check(String what, Map<Event, Long> sums, List<Job> jobs, List<String> problems) {
        var running =
                jobs.stream().filter(job -> job.state() == JobState.RUNNING).count();
        var ended = sum(sums, SUCCEEDED, FAILED, CRASHED, RELEASED, SNOOZED, RETURNED, CANCELLED_RUNNING, BURIED);
        if (sum(sums, LEASED) != ended + running) {
            problems.add(what + ": leases don't balance with " + running + " running: " + sums);
        }
        if (sum(sums, ACCEPTED) - sum(sums, PRUNED, DISCARDED, DEAD_DROPPED) != jobs.size()) {
            problems.add(what + ": accepted and removed don't balance with " + jobs.size() + " jobs: " + sums);
        }
    }

    private void checkFinal(Map<Event, Long> sums, List<Job> jobs, List<String> problems) {
        var now = jobs.stream().filter(job -> job.state().isFinal()).count();
        var became = sum(sums, SUCCEEDED, DEAD, CANCELLED_WAITING, CANCELLED_RUNNING);
        var left = sum(sums, REPLAYED, DISCARDED, DEAD_DROPPED, PRUNED) - replaced;
        if (became - left != now) {
            problems.add("queue " + queue + ": what became final and left doesn't balance with " + now + " final jobs ("
                    + replaced + " replaced): " + sums);
        }
    }

    private Map<Event, Long> sums(Predicate<String> type) {
        var sums = new HashMap<Event, Long>();
        events.stream()
                .filter(event -> type.test(event.type()))
                .forEach(event -> sums.merge(event.event(), event.count(), Long::sum));
        return sums;
    }

    private static long sum(Map<Event, Long> sums, Event... events) {
        long sum = 0;
        for (var event : events) {
            sum += sums.getOrDefault(event, 0L);
        }
        return sum;
    }
}
