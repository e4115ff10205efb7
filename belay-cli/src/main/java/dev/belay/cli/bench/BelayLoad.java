package dev.belay.cli.bench;

import dev.belay.Belay;
import dev.belay.Worker;
import dev.belay.broker.Broker;
import dev.belay.broker.EnqueueCall;
import dev.belay.broker.LeaseReply;
import dev.belay.broker.LeaseRequest;
import dev.belay.broker.QueueSettings;
import dev.belay.broker.SessionSpec;
import dev.belay.broker.Settlement;
import dev.belay.event.JobEvent;
import dev.belay.handler.Codecs;
import dev.belay.job.By;
import dev.belay.job.DeadReason;
import dev.belay.job.JobLinks;
import dev.belay.job.JobRequest;
import dev.belay.job.JobState;
import dev.belay.job.JobType;
import dev.belay.job.Outcome;
import dev.belay.job.SessionId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/** The same work through Belay: its client and its worker, in this process, with a handler that does nothing. */
final class BelayLoad implements AutoCloseable {

    private static final String QUEUE = "bench";
    private static final int BULK = 1_000;
    private static final int FLOW_BULKS_PER_SECOND = 50;
    private static final long PATIENCE_SECONDS = 600;

    private static final JobType<String> NOTHING =
            JobType.define("nothing", String.class).queue(QUEUE).build();

    private final Broker broker;
    private final Belay belay;
    private final BenchOptions options;
    private final String payload;
    private final Codecs codecs = Codecs.found();

    BelayLoad(Broker broker, BenchOptions options) {
        this.broker = broker;
        this.options = options;
        // In JSON a text has two quotes around it.
        payload = Payloads.text(Math.max(0, options.payloadBytes() - 2));
        belay = Belay.on(broker);
        broker.admin()
                .configure(
                        QUEUE,
                        options.retention()
                                ? QueueSettings.DEFAULT
                                : QueueSettings.DEFAULT.withFinished(Duration.ZERO, 0),
                        By.of("belay bench"));
    }

    /** Jobs a second through single enqueues by so many callers. */
    double enqueueSingle(int jobs, int callers) throws InterruptedException {
        var perCaller = Math.max(1, jobs / callers);
        var seconds = Crowd.seconds(callers, thread -> {
            for (var i = 0; i < perCaller; i++) {
                belay.enqueue(NOTHING, payload);
            }
        });
        return perCaller * callers / seconds;
    }

    /** Jobs a second by so many callers, each of whom sends a call of its own for each job: what batching is worth. */
    double enqueueUnbatched(int jobs, int callers) throws InterruptedException {
        var perCaller = Math.max(1, jobs / callers);
        var seconds = Crowd.seconds(callers, thread -> {
            var client = UUID.randomUUID();
            for (var number = 1; number <= perCaller; number++) {
                var job = codecs.encode(NOTHING.with(payload), JobLinks.NONE);
                broker.enqueue(new EnqueueCall(client, QUEUE, number, List.of(job)));
            }
        });
        return perCaller * callers / seconds;
    }

    /** Jobs a second through bulks of a thousand by so many callers. */
    double enqueueBulk(int jobs, int callers) throws InterruptedException {
        return jobs
                / Crowd.seconds(callers, thread -> {
                    for (var left = Crowd.share(jobs, callers, thread); left > 0; left -= BULK) {
                        belay.enqueueAll(requests(Math.min(BULK, left)));
                    }
                });
    }

    /** Has a worker run so many of the waiting jobs; jobs a second, from its start to the last confirmed success. */
    double drain(int jobs) throws InterruptedException {
        var done = new Done(jobs);
        var start = System.nanoTime();
        try (var worker = worker(done::one)) {
            done.await();
            return jobs / ((done.at() - start) / 1e9);
        }
    }

    /** Enqueues and runs so many jobs at once; jobs a second, from the first enqueue to the last confirmed success. */
    double both(int jobs, int callers) throws InterruptedException {
        var done = new Done(jobs);
        try (var worker = worker(done::one)) {
            var start = System.nanoTime();
            Crowd.seconds(callers, thread -> {
                for (var left = Crowd.share(jobs, callers, thread); left > 0; left -= BULK) {
                    belay.enqueueAll(requests(Math.min(BULK, left)));
                }
            });
            done.await();
            return jobs / ((done.at() - start) / 1e9);
        }
    }

    /** At a steady pace, far below what is possible: milliseconds from the call of enqueue to the start of the handler. */
    Samples pickup(int jobs, int perSecond) throws InterruptedException {
        var starts = new long[jobs];
        var latencies = new Samples();
        var handled = new CountDownLatch(jobs);
        try (var worker = Worker.on(broker)
                .queue(QUEUE, options.slots())
                .handle(NOTHING, (number, context) -> {
                    var now = System.nanoTime();
                    synchronized (latencies) {
                        latencies.add((now - starts[Integer.parseInt(number)]) / 1e6);
                    }
                    handled.countDown();
                })
                .start()) {
            Thread.sleep(200);
            var pace = new Pace(perSecond);
            for (var i = 0; i < jobs; i++) {
                pace.next();
                starts[i] = System.nanoTime();
                belay.enqueue(NOTHING, Integer.toString(i));
            }
            require(handled.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
        }
        return latencies;
    }

    /** Enqueues at a steady pace, in small bulks, as long as it goes on, and has a worker run what comes. */
    void flow(int perSecond, BooleanSupplier goesOn, Backlog backlog) throws InterruptedException {
        var bulks = Math.min(perSecond, FLOW_BULKS_PER_SECOND);
        try (var worker = worker(backlog::done)) {
            var pace = new Pace(bulks);
            for (var bulk = 0; goesOn.getAsBoolean(); bulk = (bulk + 1) % bulks) {
                pace.next();
                var jobs = Crowd.share(perSecond, bulks, bulk);
                belay.enqueueAll(requests(jobs));
                backlog.accept(jobs);
            }
        }
    }

    /** Brings the standing backlog of waiting jobs to its length: a worker takes more than are counted before it stops. */
    void topUp() throws InterruptedException {
        var ready = broker.admin().queues().stream()
                .filter(queue -> queue.queue().equals(QUEUE))
                .mapToLong(queue -> queue.count(JobState.READY))
                .sum();
        if (ready < options.waiting()) {
            enqueueBulk((int) (options.waiting() - ready), 1);
        }
    }

    /** A standing backlog of dead letters. */
    void bury(int jobs) throws InterruptedException {
        enqueueBulk(jobs, 1);
        var session = SessionId.next();
        broker.register(new SessionSpec(
                session, QUEUE, "belay bench", "bench", 1_000, Duration.ofMinutes(5), Map.of(NOTHING.name(), 1)));
        var call = 1L;
        for (var left = jobs; left > 0; ) {
            var reply = broker.lease(LeaseRequest.of(session, call++, Math.min(1_000, left)));
            require(reply.status() == LeaseReply.Status.OK && !reply.leases().isEmpty());
            broker.settle(
                    QUEUE,
                    reply.leases().stream()
                            .map(lease ->
                                    new Settlement(lease.id(), new Outcome.Bury(DeadReason.BY_HANDLER, null), null))
                            .toList());
            left -= reply.leases().size();
        }
        broker.endSessions(List.of(session));
    }

    @Override
    public void close() {
        belay.close();
    }

    private Worker worker(Runnable onSuccess) {
        return Worker.on(broker)
                .queue(QUEUE, options.slots())
                .handle(NOTHING, (text, context) -> {})
                .listen(event -> {
                    if (event instanceof JobEvent.Succeeded) {
                        onSuccess.run();
                    }
                })
                .start();
    }

    private List<JobRequest<String>> requests(int count) {
        var requests = new ArrayList<JobRequest<String>>(count);
        for (var i = 0; i < count; i++) {
            requests.add(NOTHING.with(payload));
        }
        return requests;
    }

    private static void require(boolean holds) {
        if (!holds) {
            throw new IllegalStateException(
                    "the benchmark got stuck: jobs were not run within " + PATIENCE_SECONDS + " s");
        }
    }

    /** Waits for so many successes, and notes when the last one was. */
    private static final class Done {
        private final int wanted;
        private final AtomicInteger count = new AtomicInteger();
        private final CountDownLatch reached = new CountDownLatch(1);
        private volatile long at;

        Done(int wanted) {
            this.wanted = wanted;
        }

        void one() {
            if (count.incrementAndGet() == wanted) {
                at = System.nanoTime();
                reached.countDown();
            }
        }

        void await() throws InterruptedException {
            require(reached.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
        }

        long at() {
            return at;
        }
    }
}
