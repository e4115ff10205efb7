package dev.belay.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.broker.AuditEntry;
import dev.belay.broker.QueueSettings;
import dev.belay.job.By;
import dev.belay.job.JobId;
import dev.belay.tck.BrokerSuite;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** G13: who did what, when and why. */
public class AuditTest extends BrokerSuite {

    @Test
    void G13_whatAPersonChangesIsWrittenDown() {
        var id = dead(job());
        applied(admin.replay(QUEUE, id, null, ANN));
        applied(admin.cancel(QUEUE, id, By.of("bob")));
        applied(admin.discard(QUEUE, id, null, ANN));
        admin.pause(QUEUE, ANN);
        admin.resume(QUEUE, ANN);
        admin.configure(QUEUE, QueueSettings.DEFAULT.withDead(null, 9, null), ANN);
        admin.configure(settings().withReaping(seconds(1), seconds(9)), ANN);
        var entries = admin.audit(null, null, 20).entries();

        assertThat(entries).hasSize(7);
        assertThat(entries.subList(2, 7))
                .extracting(AuditEntry::action)
                .containsExactly("resume", "pause", "discard", "cancel", "replay");
        assertThat(entries.get(5).by()).isEqualTo(By.of("bob"));
        assertThat(entries.get(6).by()).isEqualTo(ANN);
        assertThat(entries.get(0).queue()).as("about no queue").isNull();
        assertThat(entries.get(1).queue()).isEqualTo(QUEUE);
        assertThat(entries).allSatisfy(entry -> assertThat(entry.at()).isBetween(now() - 60_000, now()));
    }

    @Test
    void whatWasRefusedIsNotWrittenDown() {
        var id = accept(job());
        admin.replay(QUEUE, id, null, ANN);
        admin.discard(QUEUE, id, null, ANN);
        admin.cancel(QUEUE, JobId.next(), ANN);
        admin.removeQueue(QUEUE, ANN);

        assertThat(admin.audit(null, null, 20).entries()).isEmpty();
    }

    @Test
    void pagesAreNewestFirstAndComplete() {
        for (var i = 0; i < 25; i++) {
            admin.pause("q" + i, ANN);
        }
        var expected = new ArrayList<String>();
        for (var i = 24; i >= 0; i--) {
            expected.add("q" + i);
        }
        for (var size : List.of(1, 7, 25, 100)) {
            assertThat(pages(null, size)).extracting(AuditEntry::queue).isEqualTo(expected);
        }
    }

    @Test
    void pagesAreStableWhileEntriesCome() {
        for (var i = 0; i < 10; i++) {
            admin.pause("q" + i, ANN);
        }
        var first = admin.audit(null, null, 4);
        admin.pause("late", ANN);
        var second = admin.audit(null, first.next(), 4);

        assertThat(first.entries()).extracting(AuditEntry::queue).containsExactly("q9", "q8", "q7", "q6");
        assertThat(second.entries()).extracting(AuditEntry::queue).containsExactly("q5", "q4", "q3", "q2");
    }

    @Test
    void entriesOfOneJobAreFoundByItsId() {
        var mine = accept(job());
        var other = accept(job());
        applied(admin.cancel(QUEUE, mine, ANN));
        applied(admin.cancel(QUEUE, other, ANN));
        applied(admin.replay(QUEUE, mine, null, ANN));

        assertThat(pages(mine, 1)).extracting(AuditEntry::action).containsExactly("replay", "cancel");
        assertThat(admin.audit(JobId.next(), null, 5).entries()).isEmpty();
        assertThat(admin.audit(JobId.next(), null, 5).next()).isNull();
    }

    @Test
    void othersWriteToo() {
        var id = JobId.next();
        var at = timed(() -> {
            admin.writeAudit(new AuditEntry(0, "mass-replay", QUEUE, id, ANN, "200 of 300, ünïcode"));
            return 0;
        });

        var written = admin.audit(id, null, 5).entries();
        assertThat(written).hasSize(1);
        assertThat(written.get(0).at()).as("set by the broker").isBetween(at.from(), at.to());
        assertThat(written.get(0))
                .isEqualTo(new AuditEntry(written.get(0).at(), "mass-replay", QUEUE, id, ANN, "200 of 300, ünïcode"));
        admin.writeAudit(new AuditEntry(0, "login", null, null, ANN, null));
        assertThat(admin.audit(null, null, 1).entries().get(0).action()).isEqualTo("login");
    }

    private List<AuditEntry> pages(@Nullable JobId job, int size) {
        var entries = new ArrayList<AuditEntry>();
        @Nullable String cursor = null;
        do {
            var page = admin.audit(job, cursor, size);
            entries.addAll(page.entries());
            cursor = page.next();
        } while (cursor != null);
        return entries;
    }
}
