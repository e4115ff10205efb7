package dev.belay.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.broker.JobQuery;
import dev.belay.job.Job;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import dev.belay.job.Outcome;
import dev.belay.tck.BrokerSuite;
import dev.belay.tck.TestClient;
import dev.belay.tck.TestWorker;
import dev.belay.tck.Together;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Pages of jobs, counts and single jobs. */
public class ListTest extends BrokerSuite {

    @Test
    void pagesAreNewestFirstAndComplete() {
        var ids = new ArrayList<JobId>();
        for (var i = 0; i < 25; i++) {
            ids.add(accept(job()));
            advance(seconds(1));
        }
        Collections.reverse(ids);
        for (var size : List.of(1, 7, 24, 25, 26, 1_000)) {
            assertThat(pages(JobQuery.ALL, size)).as("pages of %s", size).isEqualTo(ids);
        }
    }

    @Test
    void jobsOfOneInstantAreOrderedByIdAndNoneIsMissed() {
        var ids = accept(50);
        var listed = pages(JobQuery.ALL, 7);

        assertThat(listed).hasSize(50).hasSameElementsAs(ids);
        assertThat(pages(JobQuery.ALL, 13)).isEqualTo(listed);
    }

    @Test
    void aPageOfTheLastHasNoNext() {
        accept(4);

        assertThat(admin.list(JobQuery.ALL, null, 10).next()).isNull();
        assertThat(admin.list(JobQuery.ALL.inQueue("no-such-queue"), null, 10).jobs())
                .isEmpty();
        assertThat(admin.list(JobQuery.ALL.ofType("no-such-type"), null, 10).next())
                .isNull();
    }

    @Test
    void aListOfAllQueuesIsOneListInOneOrder() {
        var ids = new ArrayList<JobId>();
        for (var queue : List.of("c", "a", "b", "a", "c")) {
            ids.add(accept(job().queue(queue)));
            advance(seconds(1));
        }
        Collections.reverse(ids);

        assertThat(pages(JobQuery.ALL, 2)).isEqualTo(ids);
    }

    @Test
    void pagesAreStableWhileJobsComeAndGo() {
        var stay = accept(200);
        var goers = client.accept(100, job().priority(0));
        var done = new AtomicBoolean();
        var seen = Together.<List<JobId>>run(3, i -> switch (i) {
            case 0 ->
                () -> {
                    try {
                        var all = new ArrayList<JobId>();
                        for (var round = 0; round < 5; round++) {
                            all.addAll(checkedPages(stay));
                        }
                        return all;
                    } finally {
                        done.set(true);
                    }
                };
            case 1 -> comeAndGo(done);
            default -> go(goers);
        });
        assertThat(new HashSet<>(seen.get(0))).containsAll(stay);
    }

    private List<JobId> checkedPages(List<JobId> stay) {
        var listed = pages(JobQuery.ALL, 11);
        assertThat(listed).as("each at most once").doesNotHaveDuplicates();
        assertThat(listed).as("who was there all the time is listed").containsAll(stay);
        return listed;
    }

    private java.util.concurrent.Callable<List<JobId>> comeAndGo(AtomicBoolean done) {
        var newcomers = new TestClient(secondNode());
        return () -> {
            while (!done.get()) {
                var id = newcomers.accept(job().delay(seconds(900)));
                secondNode().admin().cancel(QUEUE, id, ANN);
                secondNode().admin().discard(QUEUE, id, null, ANN);
            }
            return List.of();
        };
    }

    private java.util.concurrent.Callable<List<JobId>> go(List<JobId> goers) {
        return () -> {
            for (var id : goers) {
                admin.cancel(QUEUE, id, ANN);
                admin.discard(QUEUE, id, null, ANN);
            }
            return List.of();
        };
    }

    @Test
    void eachFilterFindsItsOwnAndNothingElse() {
        var worker = worker();
        var failed = accept(
                job().type("a").key("key-1").options(o -> o.withTag("red")).priority(0));
        worker.settled(worker.leaseOne(), new Outcome.Retry(seconds(900), false, TestWorker.error("IOException", "x")));
        var dead = accept(
                job().type("b").options(o -> o.withTag("red").withTag("blue")).priority(0));
        worker.bury(worker.leaseOne());
        var cancelled = accept(job().type("a"));
        applied(admin.cancel(QUEUE, cancelled, dev.belay.job.By.of("ann", "no longer needed")));
        var other = accept(job().queue("reports").type("b"));
        var scheduled = accept(job().delay(seconds(60)));

        assertFinds(JobQuery.ALL.ofType("a"), failed, cancelled);
        assertFinds(JobQuery.ALL.ofType("b"), dead, other);
        assertFinds(JobQuery.ALL.ofType("b").inQueue(QUEUE), dead);
        assertFinds(JobQuery.ALL.inQueue("reports"), other);
        assertFinds(JobQuery.ALL.inState(JobState.SCHEDULED), failed, scheduled);
        assertFinds(JobQuery.ALL.inState(JobState.DEAD, JobState.CANCELLED), dead, cancelled);
        assertFinds(JobQuery.DEAD, dead);
        assertFinds(JobQuery.ALL.withErrorClass("IOException"), failed);
        assertFinds(JobQuery.ALL.withErrorClass("java.lang.Error"), dead);
        assertFinds(JobQuery.ALL.withFingerprint("f-IOException"), failed);
        assertFinds(JobQuery.ALL.withReason("BY_HANDLER"), dead);
        assertFinds(JobQuery.ALL.withReason("no longer needed"), cancelled);
        assertFinds(JobQuery.ALL.withKey("key-1"), failed);
        assertFinds(JobQuery.ALL.withKey(scheduled.toString()), scheduled);
        assertFinds(JobQuery.ALL.withTag("red"), failed, dead);
        assertFinds(JobQuery.ALL.withTag("blue"), dead);
        assertFinds(JobQuery.ALL.withTag("re"));
        assertFinds(JobQuery.ALL.withTag("red").withErrorClass("IOException").ofType("b"));
    }

    @Test
    void theTimeOfTheEndIsAFilterWithBothEndsIncluded() {
        var first = dead(job());
        advance(seconds(10));
        var second = dead(job());
        advance(seconds(10));
        accept(job());
        var from = finishedAt(first);
        var to = finishedAt(second);

        assertFinds(JobQuery.ALL.finished(from, from), first);
        assertFinds(JobQuery.ALL.finished(from + 1, to), second);
        assertFinds(JobQuery.ALL.finished(from, to), first, second);
        assertFinds(JobQuery.ALL.finished(null, to - 1), first);
        assertFinds(JobQuery.ALL.finished(to, null), second);
        assertFinds(JobQuery.ALL.finished(to + 1, null));
    }

    private long finishedAt(JobId id) {
        return Objects.requireNonNull(find(id).times().finishedAt(), "finishedAt");
    }

    @Test
    void filtersTakeTextAsItIs() {
        var odd = accept(job().key("100%_'\"\\").options(o -> o.withTag("a,b").withTag("%")));
        accept(job().key("100x_'\"\\").options(o -> o.withTag("a").withTag("b")));

        assertFinds(JobQuery.ALL.withKey("100%_'\"\\"), odd);
        assertFinds(JobQuery.ALL.withTag("%"), odd);
        assertFinds(JobQuery.ALL.withTag("a,b"), odd);
        assertFinds(JobQuery.ALL.withTag("_"));
    }

    @Test
    void countsStopWhereTheyAreTold() {
        accept(20);

        assertThat(admin.count(JobQuery.ALL, 1_000)).isEqualTo(20);
        assertThat(admin.count(JobQuery.ALL, 20)).isEqualTo(20);
        assertThat(admin.count(JobQuery.ALL, 7)).isEqualTo(7);
        assertThat(admin.count(JobQuery.ALL.inState(JobState.DEAD), 7)).isZero();
    }

    @Test
    void aJobIsFoundWithAndWithoutItsQueue() {
        var id = accept(job().queue("reports"));

        assertThat(admin.find("reports", id)).isPresent();
        assertThat(admin.find(null, id)).isPresent();
        assertThat(admin.find(QUEUE, id)).isEmpty();
        assertThat(admin.find(null, JobId.next())).isEmpty();
        assertThat(admin.find(null, id).orElseThrow().job())
                .isEqualTo(admin.list(JobQuery.ALL, null, 1).jobs().get(0));
    }

    private void assertFinds(JobQuery query, JobId... ids) {
        assertThat(pages(query, 100)).containsExactlyInAnyOrder(ids);
        assertThat(pages(query, 1)).containsExactlyInAnyOrder(ids);
        assertThat(admin.count(query, 100)).isEqualTo(ids.length);
    }

    private List<JobId> pages(JobQuery query, int size) {
        var ids = new ArrayList<JobId>();
        @Nullable String cursor = null;
        do {
            var page = admin.list(query, cursor, size);
            assertThat(page.jobs()).hasSizeLessThanOrEqualTo(size);
            page.jobs().stream().map(Job::id).forEach(ids::add);
            cursor = page.next();
        } while (cursor != null);
        return ids;
    }
}
