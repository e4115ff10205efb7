package dev.belay.tck.model;

import dev.belay.tck.BrokerSuite;
import dev.belay.tck.ModelOracle;
import java.util.ServiceLoader;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs {@link World}s: see the package. */
public class ModelTest extends BrokerSuite {

    static LongStream seeds() {
        var one = Long.getLong("belay.tck.model.seed");
        return one == null ? LongStream.rangeClosed(1, Long.getLong("belay.tck.model.seeds", 20)) : LongStream.of(one);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void behavesAsTheReferenceBroker(long seed) {
        var time = new AtomicLong();
        var steps = Integer.getInteger("belay.tck.model.steps", 250);
        try (var oracle = oracle().open(time::get)) {
            new World(bench, broker, oracle, time, seed).run(steps);
        }
    }

    private static ModelOracle oracle() {
        return ServiceLoader.load(ModelOracle.class)
                .findFirst()
                .orElseThrow(
                        () -> new IllegalStateException("the package dev.belay.tck.model needs a reference broker: a "
                                + ModelOracle.class.getName() + " in META-INF/services"));
    }
}
