package dev.belay.tck.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.broker.JobQuery;
import dev.belay.event.JobEvent;
import dev.belay.job.By;
import dev.belay.job.DeadReason;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import dev.belay.job.JobType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Case 46: records that can't be read, in every state, amid good ones. */
public class DamageTest extends EngineSuite {

    private static final JobType<String> KEPT = type(b -> b.priority(4));

    @Test
    void G6_case46_recordsThatCantBeReadEndAsDeadLettersAndHarmNobody() {
        var planter = bench.planter();
        quickReaping();
        var gate = hold();
        var bad = new ArrayList<JobId>();
        var good = new ArrayList<JobId>();

        var first = start(shortLived(broker).queue(QUEUE, 4).handle(KEPT, (payload, context) -> {
            if (payload.equals("dead")) {
                throw context.bury("hopeless");
            }
            if (payload.equals("running")) {
                gate.pass();
            }
        }));
        var dead = enqueue(KEPT.with("dead"));
        var running = enqueue(KEPT.with("running"));
        awaitState(dead, JobState.DEAD);
        gate.awaitArrived(1);
        admin.pause(QUEUE, By.of("ann"));
        for (var i = 0; i < 5; i++) {
            bad.add(enqueue("waiting"));
            bad.add(enqueue(WORK.with("scheduled").delay(Duration.ofMillis(200))));
            good.addAll(enqueueMany(60));
        }
        expectLog("was lost before its outcome");
        for (var id : bad) {
            planter.corrupt(QUEUE, id);
        }
        for (var id : List.of(dead, running)) {
            planter.corrupt(QUEUE, id);
        }
        start(shortLived(secondNode()).queue(QUEUE, 4).handle(KEPT, effects.count((payload, context) -> {})));
        admin.resume(QUEUE, By.of("ann"));
        gate.open();

        awaitAll(good, JobState.SUCCEEDED);
        eventually(() -> assertThat(bad).allSatisfy(id -> {
            var detail = admin.find(QUEUE, id).orElseThrow();
            assertThat(detail.job().state()).isEqualTo(JobState.DEAD);
            assertThat(detail.job().reason()).isEqualTo(DeadReason.CORRUPT.name());
            assertThat(detail.raw()).isNotNull();
        }));
        assertThat(list(JobQuery.DEAD)).extracting(job -> job.id()).containsAll(bad);
        first.close();
        // They can be got rid of.
        bad.forEach(id -> applied(admin.discard(QUEUE, id, null, By.of("ann"))));
        bad.forEach(id -> assertThat(admin.find(QUEUE, id)).isEmpty());
        awaitAll(enqueueMany(20), JobState.SUCCEEDED);
        assertThat(told.all(JobEvent.Succeeded.class)).isNotEmpty();
    }

    @Test
    void case46_aRecordOfANewerVersionIsLeftAlone() {
        var planter = bench.planter();
        admin.pause(QUEUE, By.of("ann"));
        var newer = enqueue("newer");
        planter.newer(QUEUE, newer);
        serve(2, (payload, context) -> {});
        admin.resume(QUEUE, By.of("ann"));
        var good = enqueueMany(50);
        awaitAll(good, JobState.SUCCEEDED);
        effects.assertOnce(good);
        assertThat(effects.of(newer)).isEmpty();
        assertThat(job(newer).state().isFinal()).isFalse();
        assertThat(job(newer).isNewer()).isTrue();
    }
}
