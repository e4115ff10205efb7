package dev.belay.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.broker.Event;
import dev.belay.broker.EventCount;
import dev.belay.broker.Histogram;
import dev.belay.broker.StatisticsQuery;
import dev.belay.broker.TimesDelta;
import dev.belay.job.NewJob;
import dev.belay.tck.BrokerSuite;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Exact counts of events, and histograms, by slices of one minute and of all time. */
public class StatisticsTest extends BrokerSuite {

    private static final long SLICE = StatisticsQuery.SLICE_MILLIS;

    @Test
    void countsAreKeptPerQueueTypeAndEvent() {
        accept(job());
        accept(job().type("a"));
        accept(job().queue("reports").type("a"));
        var worker = worker();
        worker.lease(1).forEach(worker::complete);

        assertThat(counts(StatisticsQuery.TOTAL))
                .containsExactlyInAnyOrder(
                        "mail send-receipt ACCEPTED 1",
                        "mail send-receipt LEASED 1",
                        "mail send-receipt SUCCEEDED 1",
                        "mail a ACCEPTED 1",
                        "reports a ACCEPTED 1");
        assertThat(counts(new StatisticsQuery(QUEUE, null, null, null)))
                .hasSize(4)
                .allMatch(line -> line.startsWith("mail"));
        assertThat(counts(new StatisticsQuery(null, "a", null, null)))
                .containsExactlyInAnyOrder("mail a ACCEPTED 1", "reports a ACCEPTED 1");
        assertThat(counts(new StatisticsQuery("reports", TYPE, null, null))).isEmpty();
    }

    @Test
    void aSpanOfSlicesHoldsWhatHappenedInIt() {
        var start = toFullMinute();
        accept(2);
        advance(Duration.ofMillis(SLICE));
        accept(3);
        advance(Duration.ofMillis(SLICE));
        accept(4);

        assertThat(accepted(start, start + SLICE)).isEqualTo(2);
        assertThat(accepted(start + SLICE, start + 2 * SLICE)).isEqualTo(3);
        assertThat(accepted(start, start + 2 * SLICE)).isEqualTo(5);
        assertThat(accepted(start + SLICE, null)).isEqualTo(7);
        assertThat(accepted(null, null)).isEqualTo(9);
        assertThat(accepted(start - 10 * SLICE, start)).isZero();
    }

    @Test
    void slicesEndAfterTwoDaysAndTotalsNever() {
        var start = toFullMinute();
        accept(5);
        advance(Duration.ofHours(47));
        prune();
        assertThat(accepted(start, start + SLICE)).isEqualTo(5);
        advance(Duration.ofHours(2));
        prune();

        assertThat(accepted(start, start + SLICE)).isZero();
        assertThat(accepted(null, null)).isEqualTo(5);
    }

    @Test
    void case134_typesBeyondTheFirstFiveHundredCountAsOther() {
        var jobs = new ArrayList<NewJob>();
        for (var i = 0; i < 520; i++) {
            jobs.add(job().type("type-" + i).build());
        }
        client.accept(jobs);
        var counts = admin.statistics(StatisticsQuery.TOTAL);

        assertThat(counts.stream().map(EventCount::type).distinct()).hasSizeLessThanOrEqualTo(501);
        assertThat(counts.stream().filter(count -> count.type().equals("other")).mapToLong(EventCount::count))
                .containsExactly(20L);
        assertThat(events(Event.ACCEPTED)).isEqualTo(520);
        // A type that is known keeps its own count; one that came too late does not.
        accept(job().type("type-0"));
        accept(job().type("type-519"));
        assertThat(counts(new StatisticsQuery(QUEUE, "type-0", null, null))).containsExactly("mail type-0 ACCEPTED 2");
        assertThat(counts(new StatisticsQuery(QUEUE, "other", null, null))).containsExactly("mail other ACCEPTED 21");
    }

    @Test
    void timesAreMergedPerQueueTypeAndKind() {
        broker.record(List.of(times("a", TimesDelta.Kind.RUN, 1_000, 2_000), times("a", TimesDelta.Kind.WAIT, 7)));
        secondNode()
                .record(List.of(times("a", TimesDelta.Kind.RUN, 3_000, 4_000_000), times("b", TimesDelta.Kind.RUN, 5)));

        var runs = merged("a", TimesDelta.Kind.RUN);
        assertThat(runs.count()).isEqualTo(4);
        assertThat(runs.quantile(0.5)).isBetween(1_900.0, 2_100.0);
        assertThat(runs.quantile(1)).isBetween(3_800_000.0, 4_200_000.0);
        assertThat(merged("a", TimesDelta.Kind.WAIT).count()).isEqualTo(1);
        assertThat(merged("b", TimesDelta.Kind.RUN).count()).isEqualTo(1);
        assertThat(merged("b", TimesDelta.Kind.WAIT).count()).isZero();
    }

    @Test
    void timesHaveSlicesToo() {
        var start = toFullMinute();
        broker.record(List.of(times("a", TimesDelta.Kind.RUN, 1_000)));
        advance(Duration.ofMillis(SLICE));
        broker.record(List.of(times("a", TimesDelta.Kind.RUN, 9_000, 9_000)));

        assertThat(count(new StatisticsQuery(QUEUE, "a", start, start + SLICE))).isEqualTo(1);
        assertThat(count(new StatisticsQuery(QUEUE, "a", start + SLICE, null))).isEqualTo(2);
        assertThat(count(new StatisticsQuery(null, null, start, null))).isEqualTo(3);
        assertThat(count(new StatisticsQuery("reports", null, start, null))).isZero();
    }

    @Test
    void nothingRecordedIsNothingTold() {
        broker.record(List.of());

        assertThat(admin.times(StatisticsQuery.TOTAL)).isEmpty();
        assertThat(counts(StatisticsQuery.TOTAL)).isEmpty();
    }

    private static TimesDelta times(String type, TimesDelta.Kind kind, long... micros) {
        var histogram = new Histogram();
        for (var one : micros) {
            histogram.add(one);
        }
        return new TimesDelta(QUEUE, type, kind, histogram);
    }

    private Histogram merged(String type, TimesDelta.Kind kind) {
        var from = now() - 10 * SLICE;
        var sum = new Histogram();
        admin.times(new StatisticsQuery(QUEUE, type, from, null)).stream()
                .filter(delta -> delta.kind() == kind)
                .forEach(delta -> sum.add(delta.histogram()));
        return sum;
    }

    private long count(StatisticsQuery query) {
        return admin.times(query).stream()
                .mapToLong(delta -> delta.histogram().count())
                .sum();
    }

    /** Moves the clock to the begin of a slice. */
    private long toFullMinute() {
        advance(Duration.ofMillis(SLICE - now() % SLICE));
        return now() / SLICE * SLICE;
    }

    private long accepted(@Nullable Long from, @Nullable Long to) {
        return admin.statistics(new StatisticsQuery(null, null, from, to)).stream()
                .filter(count -> count.event() == Event.ACCEPTED)
                .mapToLong(EventCount::count)
                .sum();
    }

    private List<String> counts(StatisticsQuery query) {
        return admin.statistics(query).stream()
                .filter(count -> count.count() != 0)
                .map(count -> count.queue() + " " + count.type() + " " + count.event() + " " + count.count())
                .toList();
    }
}
