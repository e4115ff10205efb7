package dev.belay.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.tck.crash.Child;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Callers of several processes that want the same effect at the same time. */
abstract class LedgerRace {

    private static final boolean NIGHTLY = Boolean.getBoolean("belay.tck.nightly");
    private static final int PROCESSES = NIGHTLY ? 5 : 3;
    private static final int CALLERS = NIGHTLY ? 50 : 10;
    private static final int ROUNDS = NIGHTLY ? 200 : 15;

    abstract TestDatabase database();

    @Test
    void case85_callersOfManyProcessesMakeOneEffectForAKeyAndGetItsResult(@TempDir Path folder) {
        var provider = new Provider(folder.resolve("provider"));
        var racers = new ArrayList<Child>();
        try (var database = database()) {
            database.ledger().open().close();
            for (var i = 0; i < PROCESSES; i++) {
                racers.add(Child.start(
                        RacerMain.class,
                        List.of(
                                database.address(),
                                folder.resolve("provider").toString(),
                                String.valueOf(CALLERS),
                                String.valueOf(ROUNDS))));
            }
            racers.forEach(Child::awaitReady);
            racers.forEach(Child::go);
            for (var round = 0; round < ROUNDS; round++) {
                var results = "result-" + round;
                racers.forEach(racer -> racer.await(results, CALLERS));
            }
            var asked = provider.asked();
            for (var round = 0; round < ROUNDS; round++) {
                assertThat(asked.get("round-" + round)).as("round %s", round).isEqualTo(1);
                var results = new HashSet<String>();
                for (var racer : racers) {
                    assertThat(racer.told("result-" + round)).hasSize(CALLERS);
                    results.addAll(racer.told("result-" + round));
                }
                assertThat(results).as("round %s", round).hasSize(1);
            }
        } finally {
            racers.forEach(Child::close);
        }
    }
}
