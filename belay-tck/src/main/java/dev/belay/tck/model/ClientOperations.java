package dev.belay.tck.model;

import dev.belay.broker.EnqueueCall;
import dev.belay.job.Backoff;
import dev.belay.job.Dedup;
import dev.belay.job.JobId;
import dev.belay.job.Moment;
import dev.belay.job.NewJob;
import dev.belay.tck.JobBuilder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** What clients do: enqueue, and send again. */
final class ClientOperations {

    private static final List<String> TYPES = List.of("a", "b", "c");

    private final World world;
    private final UUID client;
    private final Map<String, EnqueueCall> last = new HashMap<>();

    ClientOperations(World world) {
        this.world = world;
        client = world.uuid();
    }

    void enqueue() {
        var queue = world.queue();
        var jobs = new ArrayList<NewJob>();
        var count = 1 + world.random.nextInt(4);
        for (var i = 0; i < count; i++) {
            jobs.add(job(world, queue));
        }
        var before = last.get(queue);
        var call = new EnqueueCall(client, queue, before == null ? 1 : before.number() + 1, jobs);
        last.put(queue, call);
        send("enqueue", call);
        jobs.forEach(job -> world.ids.add(job.id()));
    }

    void sendAgain() {
        var call = last.get(world.queue());
        if (call != null) {
            send("enqueue again", call);
        }
    }

    void sendOldNumber() {
        var call = last.get(world.queue());
        if (call != null) {
            // Remembered for a day after the last call, which a run does not reach between two calls of one queue.
            send("enqueue again", call);
            var old = new EnqueueCall(client, call.queue(), call.number() - 1, call.jobs());
            world.refused("enqueue number " + old.number(), broker -> broker.enqueue(old));
        }
    }

    private void send(String what, EnqueueCall call) {
        world.same(
                what + " " + call.queue() + " number " + call.number() + " "
                        + call.jobs().stream().map(ClientOperations::shown).toList(),
                broker -> broker.enqueue(call),
                Views::verdicts);
    }

    private static String shown(NewJob job) {
        return job.id() + " " + job.type()
                + (job.key().explicit()
                        ? " key " + job.key().value() + " " + job.options().dedup()
                        : "")
                + " "
                + job.start() + " expiry " + job.expiry() + " attempts "
                + job.options().maxAttempts() + " crashes "
                + job.options().maxCrashes();
    }

    /** A random job. Its id is sometimes one that was used before, its key often one that is taken. */
    static NewJob job(World world, String queue) {
        var random = world.random;
        var job = JobBuilder.job()
                .queue(queue)
                .type(world.any(TYPES))
                .payload(world.chance(80) ? "{}" : "[2]")
                .schemaVersion(1 + random.nextInt(2))
                .priority(random.nextInt(5))
                .maxAttempts(1 + random.nextInt(3))
                .maxCrashes(1 + random.nextInt(3))
                .backoff(backoff(world));
        if (world.chance(40)) {
            job = job.key("key-" + random.nextInt(8));
            if (world.chance(40)) {
                job = job.options(o -> o.withDedup(dedup(world)));
            }
        }
        if (world.chance(30)) {
            job = job.delay(world.wait(4));
        }
        if (world.chance(20)) {
            job = job.expiry(new Moment.After(world.wait(8)));
        }
        if (world.chance(10)) {
            job = job.options(o -> o.withRetention(world.chance(50) ? java.time.Duration.ZERO : world.wait(5)));
        }
        if (world.chance(20)) {
            job = job.options(o -> o.withTag("tag"));
        }
        return job.id(world.chance(5) && !world.ids.isEmpty() ? world.any(world.ids) : new JobId(world.uuid()))
                .build();
    }

    private static Dedup dedup(World world) {
        return new Dedup(world.chance(50) ? world.wait(6) : null, world.chance(50), world.chance(50));
    }

    /** Without jitter: both sides wait alike. */
    private static Backoff backoff(World world) {
        return switch (world.random.nextInt(3)) {
            case 0 -> Backoff.NONE;
            case 1 -> Backoff.fixed(Setup.units(0.5));
            default ->
                Backoff.exponential(Setup.units(1.5), 3, Setup.units(30.5)).withJitter(false);
        };
    }
}
