package dev.belay.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.broker.Verdict;
import dev.belay.job.Dedup;
import dev.belay.job.JobState;
import dev.belay.tck.JobBuilder;
import dev.belay.tck.TestClient;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store that an older version made, and one that an older version goes on working on. */
class SqliteUpgradeTest {

    private static final JobBuilder KEYED = JobBuilder.job().key("k");

    /** What step 2 added, taken away again. */
    private static final List<String> BACK_TO_1 = List.of(
            "DROP INDEX dedup_orphan_own",
            "ALTER TABLE dedup DROP COLUMN own_window",
            "ALTER TABLE dedup DROP COLUMN only_waiting",
            "ALTER TABLE more DROP COLUMN dedup_window",
            "ALTER TABLE more DROP COLUMN dedup_mode",
            "UPDATE belay_schema SET version = 1");

    @TempDir
    private Path directory;

    @Test
    void aStoreOfVersion1IsBroughtUpToDateWithAllThatIsInIt() throws SQLException {
        var holder = KEYED.build();
        try (var broker = SqliteBroker.open(file())) {
            new TestClient(broker).accept(List.of(holder));
        }
        run(BACK_TO_1);

        try (var broker = SqliteBroker.open(file())) {
            var client = new TestClient(broker);
            var job = broker.admin().find(JobBuilder.QUEUE, holder.id()).orElseThrow();
            assertThat(job.job().options().dedup()).isEqualTo(Dedup.DEFAULT);
            assertThat(client.enqueue(KEYED)).isEqualTo(new Verdict.Duplicate(holder.id(), JobState.READY));
            assertThat(client.enqueue(KEYED.payload("[2]").replaceWaiting()))
                    .isEqualTo(new Verdict.Replaced(holder.id(), JobState.READY));
        }
    }

    @Test
    void anOlderVersionWorksOnAStoreThatIsUpToDate() throws SQLException {
        try (var broker = SqliteBroker.open(file())) {
            var client = new TestClient(broker);
            client.accept(KEYED.dedupWindow(Duration.ofDays(2)).atMostOneWaiting());
            // The statements of version 1 that write to what step 2 changed.
            run(List.of(
                    "INSERT INTO dedup (queue, type, key, holder, fingerprint, since)"
                            + " SELECT queue, type, 'of version 1', holder, fingerprint, since FROM dedup WHERE true"
                            + " ON CONFLICT (queue, type, key) DO UPDATE SET holder = excluded.holder,"
                            + " fingerprint = excluded.fingerprint, since = excluded.since, orphan = 0",
                    "INSERT INTO more (job, queue, history_count) SELECT job, queue, 0 FROM more WHERE true"
                            + " ON CONFLICT (job) DO UPDATE SET history_count = excluded.history_count",
                    "DELETE FROM dedup WHERE (queue, type, key) IN (SELECT queue, type, key FROM dedup INDEXED BY"
                            + " dedup_orphan WHERE queue = 1 AND orphan = 1 AND since <= 0 LIMIT 5)"));

            assertThat(client.enqueue(KEYED)).isInstanceOf(Verdict.Duplicate.class);
            assertThat(client.enqueue(JobBuilder.job().key("of version 1"))).isInstanceOf(Verdict.Duplicate.class);
        }
    }

    private void run(List<String> statements) throws SQLException {
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file());
                var statement = connection.createStatement()) {
            for (var sql : statements) {
                statement.executeUpdate(sql);
            }
        }
    }

    private Path file() {
        return directory.resolve("belay.db");
    }
}
