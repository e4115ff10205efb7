package dev.belay.tck.model;

import dev.belay.broker.BrokerAdmin;
import dev.belay.broker.Command;
import dev.belay.broker.JobEdit;
import dev.belay.broker.QueueSettings;
import dev.belay.broker.Verdict;
import dev.belay.job.By;
import dev.belay.job.JobId;
import dev.belay.job.JobLinks;
import dev.belay.job.Moment;
import dev.belay.tck.JobBuilder;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What people and tools do. */
final class PeopleOperations {

    private static final By ANN = By.of("ann", "told so");

    private final World world;

    PeopleOperations(World world) {
        this.world = world;
    }

    void cancel() {
        onJob("cancel", (admin, queue, id) -> admin.cancel(queue, id, ANN));
    }

    void runNow() {
        onJob("run now", (admin, queue, id) -> admin.runNow(queue, id, ANN));
    }

    void edit() {
        var edit = new JobEdit(
                world.random.nextInt(5),
                world.chance(50) ? new Moment.After(world.chance(30) ? java.time.Duration.ZERO : world.wait(4)) : null,
                world.chance(30) ? List.of("edited") : null);
        onJob("edit " + edit, (admin, queue, id) -> admin.edit(queue, id, edit, ANN));
    }

    void replay() {
        @Nullable Long by = world.chance(50) ? world.now() - world.wait(3).toMillis() : null;
        onJob("replay " + by, (admin, queue, id) -> admin.replay(queue, id, by, ANN));
    }

    void discard() {
        @Nullable Long by = world.chance(50) ? world.now() - world.wait(3).toMillis() : null;
        onJob("discard " + by, (admin, queue, id) -> admin.discard(queue, id, by, ANN));
    }

    void replace() {
        if (world.ids.isEmpty()) {
            return;
        }
        var old = world.any(world.ids);
        for (var queue : World.QUEUES) {
            var job = ClientOperations.job(world, queue);
            var better = JobBuilder.job()
                    .id(new JobId(world.uuid()))
                    .queue(queue)
                    .type(job.type())
                    .payload("[3]")
                    .backoff(job.options().backoff())
                    .links(new JobLinks(null, old));
            var replacement = (job.key().explicit() ? better.key(job.key().value()) : better).build();
            world.same(
                    "replace " + queue + " " + old + " by " + replacement.id(),
                    broker -> broker.admin().replace(queue, old, replacement, ANN),
                    Views::verdict);
            world.ids.add(replacement.id());
        }
    }

    private interface JobCall {
        Verdict call(BrokerAdmin admin, String queue, JobId id);
    }

    private void onJob(String what, JobCall call) {
        if (world.ids.isEmpty()) {
            return;
        }
        // The newest are the ones that are most often alive.
        var recent = world.ids.subList(Math.max(0, world.ids.size() - 25), world.ids.size());
        var id = world.any(world.chance(70) ? recent : world.ids);
        for (var queue : World.QUEUES) {
            world.same(what + " " + queue + " " + id, broker -> call.call(broker.admin(), queue, id), Views::verdict);
        }
    }

    void pauseOrResume() {
        var queue = world.queue();
        var pause = world.chance(40);
        world.same(
                (pause ? "pause " : "resume ") + queue,
                broker -> {
                    if (pause) {
                        broker.admin().pause(queue, ANN);
                    } else {
                        broker.admin().resume(queue, ANN);
                    }
                    return pause;
                },
                Function.identity());
    }

    void tell() {
        if (!world.sessions.isEmpty()) {
            var session = world.any(List.copyOf(world.sessions.keySet()));
            var kind = world.any(List.of(Command.Kind.values()));
            world.same(
                    "tell " + session + " " + kind, broker -> broker.admin().tell(session, kind, ANN), Views::verdict);
        }
    }

    /** Counts are left out: which of several that ended together goes first is the broker's choice. */
    void configure() {
        var queue = world.queue();
        var settings = new QueueSettings(
                world.chance(30) ? java.time.Duration.ZERO : world.wait(12),
                1_000,
                world.chance(30) ? world.wait(20) : null,
                null,
                null);
        world.same(
                "configure " + queue + " " + settings,
                broker -> {
                    broker.admin().configure(queue, settings, ANN);
                    return settings;
                },
                Function.identity());
    }

    void cells() {
        var key = "cell-" + world.random.nextInt(3);
        var value = world.chance(75) ? new byte[] {(byte) world.random.nextInt(100)} : null;
        var timeToLive = world.chance(40) ? world.wait(3) : null;
        var wrong = world.chance(20);
        world.same(
                "set " + key,
                broker -> {
                    var version =
                            broker.cells().get(key).map(cell -> cell.version()).orElse(0L);
                    return broker.cells().compareAndSet(key, wrong ? version + 1 : version, value, timeToLive);
                },
                Function.identity());
    }
}
