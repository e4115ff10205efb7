package dev.belay.ledger;

import dev.belay.Once;
import dev.belay.once.Effect;
import dev.belay.once.EffectException;
import dev.belay.once.Ledger;
import dev.belay.tck.crash.Signals;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** A process with many callers that all want the same effects, one after the other. Tells each result that it saw. */
public final class RacerMain {

    private RacerMain() {}

    /** Arguments: ledger, file of the provider, callers, rounds. */
    public static void main(String[] arguments) throws Exception {
        var signals = new Signals(Set.of());
        var provider = new Provider(Path.of(arguments[1]));
        var callers = Integer.parseInt(arguments[2]);
        var rounds = Integer.parseInt(arguments[3]);
        var pool = Executors.newFixedThreadPool(callers);
        try (var ledger = Ledger.open(arguments[0])) {
            var once = Once.in(ledger);
            signals.tell("ready", ProcessHandle.current().pid());
            signals.awaitGo();
            for (var round = 0; round < rounds; round++) {
                var effect = Effect.of("round-" + round, String.class).scope("race");
                var all = new ArrayList<Callable<String>>();
                for (var i = 0; i < callers; i++) {
                    all.add(() -> patiently(once, effect, provider));
                }
                for (var result : pool.invokeAll(all)) {
                    signals.tell("result-" + round, result.get());
                }
            }
        } finally {
            pool.shutdownNow();
        }
    }

    private static String patiently(Once once, Effect<String> effect, Provider provider) throws Exception {
        while (true) {
            try {
                return once.call(effect, key -> {
                    provider.charge(key);
                    return "made by " + ProcessHandle.current().pid();
                });
            } catch (EffectException.InProgress e) {
                TimeUnit.MILLISECONDS.sleep(2);
            }
        }
    }
}
