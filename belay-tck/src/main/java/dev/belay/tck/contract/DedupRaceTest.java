package dev.belay.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.broker.Event;
import dev.belay.broker.JobQuery;
import dev.belay.broker.Verdict;
import dev.belay.job.JobId;
import dev.belay.job.NewJob;
import dev.belay.tck.BrokerSuite;
import dev.belay.tck.TestClient;
import dev.belay.tck.Together;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** G7 under load: whoever comes first holds the key, everyone else is told who that is. */
public class DedupRaceTest extends BrokerSuite {

    private static final int THREADS = 50;
    private static final int ROUNDS = 20;

    @Test
    void case85_manyEnqueuesOfOneKeyMakeOneJob() {
        var nodes = List.of(broker, secondNode());
        for (var round = 0; round < ROUNDS; round++) {
            var key = "key-" + round;
            var verdicts = Together.run(THREADS, i -> {
                var node = new TestClient(nodes.get(i % 2));
                var job = job().key(key).build();
                return () -> new Answer(job.id(), node.enqueue(job).get(0));
            });
            assertOneHolder(verdicts);
        }
        assertThat(admin.count(JobQuery.ALL, 1_000)).isEqualTo(ROUNDS);
        assertThat(events(Event.ACCEPTED)).isEqualTo(ROUNDS);
    }

    @Test
    void case85_batchesThatShareKeysInEveryOrderAcceptEachKeyOnce() {
        var nodes = List.of(broker, secondNode());
        var answers = Together.run(8, i -> {
            var jobs = new ArrayList<NewJob>();
            for (var key = 0; key < 50; key++) {
                jobs.add(job().key("key-" + key).build());
            }
            Collections.rotate(jobs, i * 7);
            if (i % 2 == 1) {
                Collections.reverse(jobs);
            }
            var node = new TestClient(nodes.get(i % 2));
            return () -> node.enqueue(jobs);
        });
        assertThat(answers.stream().flatMap(List::stream).filter(Verdict::isApplied))
                .hasSize(50);
        assertThat(answers.stream().flatMap(List::stream).filter(Verdict.Duplicate.class::isInstance))
                .hasSize(350);
        assertThat(admin.count(JobQuery.ALL, 1_000)).isEqualTo(50);
    }

    @Test
    void case26_manyEnqueuesOfOneIdMakeOneJob() {
        var nodes = List.of(broker, secondNode());
        for (var round = 0; round < ROUNDS; round++) {
            var job = job().build();
            var verdicts = Together.run(16, i -> {
                var node = new TestClient(nodes.get(i % 2));
                return () -> new Answer(job.id(), node.enqueue(job).get(0));
            });
            assertOneHolder(verdicts);
        }
        assertThat(admin.count(JobQuery.ALL, 1_000)).isEqualTo(ROUNDS);
    }

    @Test
    void G1_oneCallSentManyTimesAtOnceIsAppliedOnce() {
        var nodes = List.of(broker, secondNode());
        for (var round = 0; round < ROUNDS; round++) {
            var call = client.call(job().build(), job().key("k" + round).build());
            var answers = Together.run(8, i -> () -> nodes.get(i % 2).enqueue(call));
            assertThat(answers).allSatisfy(answer -> assertThat(answer).isEqualTo(answers.get(0)));
            assertThat(answers.get(0)).allMatch(Verdict::isApplied);
        }
        assertThat(events(Event.ACCEPTED)).isEqualTo(2 * ROUNDS);
    }

    private static void assertOneHolder(List<Answer> answers) {
        var accepted =
                answers.stream().filter(answer -> answer.verdict().isApplied()).toList();
        assertThat(accepted).hasSize(1);
        assertThat(answers).filteredOn(answer -> !answer.verdict().isApplied()).allSatisfy(answer -> {
            assertThat(answer.verdict()).isInstanceOf(Verdict.Duplicate.class);
            assertThat(((Verdict.Duplicate) answer.verdict()).holder())
                    .isEqualTo(accepted.get(0).job());
        });
    }

    private record Answer(JobId job, Verdict verdict) {}
}
