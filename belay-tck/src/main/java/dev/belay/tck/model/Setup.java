package dev.belay.tck.model;

import dev.belay.broker.NamespaceSettings;
import dev.belay.broker.QueueSettings;
import dev.belay.job.By;
import java.time.Duration;

/** Settings whose limits lie between the times of the steps, so that no comparison hangs on a millisecond. */
final class Setup {

    private final World world;

    Setup(World world) {
        this.world = world;
    }

    void run() {
        var settings =
                new NamespaceSettings(units(0.7), units(4.5), units(20.5), units(9.5), Duration.ofDays(90), 100_000);
        var queue = new QueueSettings(units(10.5), 1_000, null, null, null);
        world.same(
                "settings",
                broker -> {
                    broker.admin().configure(settings, By.of("model"));
                    World.QUEUES.forEach(name -> broker.admin().configure(name, queue, By.of("model")));
                    return broker.settings();
                },
                answer -> answer);
        world.advance(5);
    }

    static Duration units(double count) {
        return Duration.ofMillis((long) (World.UNIT.toMillis() * count));
    }
}
