package dev.belay.ledger;

import dev.belay.jdbc.Bound;
import dev.belay.jdbc.Rows;
import dev.belay.job.Fingerprint;
import dev.belay.job.IdempotencyKey;
import dev.belay.job.JobId;
import dev.belay.job.NewJob;
import dev.belay.once.Outbox;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** Moves what waits in the outbox to a broker, a batch at a time: claims rows, sends them, removes them. Thread-safe. */
final class OutboxRelay {

    private static final int BATCH = 100;
    private static final long OVERDUE_NANOS = Duration.ofSeconds(10).toNanos();
    private static final Duration TICK = Duration.ofMillis(200);
    private static final long LONGEST_REST_NANOS = Duration.ofSeconds(1).toNanos() - TICK.toNanos();
    private static final long EXPECTED_NANOS = Duration.ofSeconds(5).toNanos();

    private static final String OVERDUE =
            "it may have been sent longer ago than the broker remembers keys: look whether"
                    + " the job was run, then retry or discard it";

    private final Database database;
    private final UUID me = UUID.randomUUID();
    private final Duration hold;
    private final Duration pause;
    private volatile long overdueAt = System.nanoTime();
    private volatile long expectedAt = System.nanoTime();
    private final Map<String, Rest> rests = new ConcurrentHashMap<>();

    OutboxRelay(Database database, LedgerBuilder settings) {
        this.database = database;
        hold = settings.outboxHold;
        pause = settings.outboxPause;
    }

    /** A job that was claimed. */
    private record Claimed(long position, String queue, JobId id, byte[] job, long addedAt, int tries, long now) {}

    /** As {@link Outbox#relay}. */
    Duration run(Outbox.Target target) {
        if (!hasWork(target)) {
            return TICK;
        }
        var until = System.nanoTime() + hold.toNanos() / 2;
        var claimed = claim(target);
        if (claimed.isEmpty() || System.nanoTime() - overdueAt > OVERDUE_NANOS) {
            leaveOverdue(target);
            overdueAt = System.nanoTime();
        }
        if (claimed.isEmpty()) {
            return TICK;
        }
        var byQueue = new LinkedHashMap<String, List<Claimed>>();
        claimed.forEach(each ->
                byQueue.computeIfAbsent(each.queue(), any -> new ArrayList<>()).add(each));
        RuntimeException failure = null;
        for (var queue : byQueue.entrySet()) {
            try {
                move(target, queue.getKey(), queue.getValue(), until);
            } catch (Outbox.NotSentException e) {
                // An outage of the broker must not make what was never sent look as if it had been.
                each(
                        queue.getValue().stream()
                                .filter(each -> each.tries() == 1)
                                .toList(),
                        sql -> sql.timed("outbox-unsent").set("pause", pause.toMillis()));
                free(queue.getValue().stream().filter(each -> each.tries() > 1).toList());
                failure = e;
            } catch (RuntimeException e) {
                // Another queue may be on another shard, which works.
                free(queue.getValue());
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
        return claimed.size() < BATCH ? TICK : Duration.ZERO;
    }

    private boolean hasWork(Outbox.Target target) {
        var rest = rests.computeIfAbsent(target.namespace(), any -> new Rest());
        if (!rest.isOver()) {
            return false;
        }
        var hasWork = database.statement(sql -> sql.timed("outbox-due")
                        .set("namespace", target.namespace())
                        .number(0))
                == 1;
        rest.looked(hasWork);
        return hasWork;
    }

    /** This process is writing a job, or has made one ready to be sent. */
    void awaitWork() {
        expectedAt = System.nanoTime();
    }

    /**
     * Between looks at an outbox that was empty: the longer it was, the rarer they are; but often for a while once this
     * process has written a job, as its transaction may take its time.
     */
    private final class Rest {
        private long nanos;
        private long lookedAt = System.nanoTime();

        synchronized boolean isOver() {
            var now = System.nanoTime();
            return now - lookedAt >= nanos || now - expectedAt < EXPECTED_NANOS;
        }

        synchronized void looked(boolean hasWork) {
            lookedAt = System.nanoTime();
            nanos = hasWork ? 0 : Math.min(LONGEST_REST_NANOS, nanos + TICK.toNanos());
        }
    }

    private List<Claimed> claim(Outbox.Target target) {
        return database
                .write(sql -> sql.timed("outbox-claim")
                        .set("namespace", target.namespace())
                        .set("me", me)
                        .set("hold", hold.toMillis())
                        .set("window", window(target))
                        .set("limit", (long) BATCH)
                        .returning(row -> new Claimed(
                                row.getLong(1),
                                row.getString(2),
                                new JobId(Rows.uuid(row.getBytes(3))),
                                row.getBytes(4),
                                row.getLong(5),
                                row.getInt(6),
                                row.getLong(7))))
                .stream()
                .sorted(Comparator.comparingLong(Claimed::position))
                .toList();
    }

    /** What may have been sent is sent again only while the broker surely remembers it, also at the end of this claim. */
    private long window(Outbox.Target target) {
        return Math.max(0, target.dedupWindow().minus(hold).toMillis());
    }

    private void move(Outbox.Target target, String queue, List<Claimed> claimed, long until) {
        var readable = new ArrayList<Claimed>();
        var jobs = new ArrayList<NewJob>();
        for (var each : claimed) {
            try {
                jobs.add(keyed(JobBytes.read(each.job(), Duration.ofMillis(Math.max(0, each.now() - each.addedAt())))));
                readable.add(each);
            } catch (IllegalArgumentException e) {
                leave(each, "it can't be read: " + e.getMessage());
            }
        }
        if (jobs.isEmpty()) {
            return;
        }
        if (System.nanoTime() - until > 0) {
            // This process stood still: by now another relay may have claimed them.
            free(readable);
            return;
        }
        var problems = target.enqueue(queue, jobs);
        var done = new ArrayList<Claimed>();
        for (var i = 0; i < readable.size(); i++) {
            if (problems.get(i).isEmpty()) {
                done.add(readable.get(i));
            } else {
                leave(readable.get(i), problems.get(i));
            }
        }
        each(done, sql -> sql.untimed("outbox-done"));
    }

    /** Without a key of its own, its id is one: so the broker remembers it even when the job has gone. */
    private static NewJob keyed(NewJob job) {
        return job.key().explicit()
                ? job
                : new NewJob(
                        job.id(),
                        job.queue(),
                        job.type(),
                        job.payload(),
                        new IdempotencyKey(
                                job.key().value(),
                                new Fingerprint(job.key().fingerprint().bytes()),
                                true),
                        job.options(),
                        job.start(),
                        job.expiry(),
                        job.links());
    }

    private void leave(Claimed claimed, String problem) {
        database.write(sql -> sql.untimed("outbox-problem")
                .set("position", claimed.position())
                .set("me", me)
                .set("problem", problem)
                .update());
    }

    private void leaveOverdue(Outbox.Target target) {
        database.write(sql -> sql.timed("outbox-overdue")
                .set("namespace", target.namespace())
                .set("window", window(target))
                .set("hold", hold.toMillis())
                .set("problem", OVERDUE)
                .update());
    }

    /** Not at once: jobs of other queues, which may work, must be reached meanwhile. */
    private void free(List<Claimed> claimed) {
        each(claimed, sql -> sql.timed("outbox-free").set("pause", pause.toMillis()));
    }

    /** Prepares a statement on each of some rows. */
    private interface Preparing {
        Bound prepare(Sql sql) throws SQLException;
    }

    private void each(List<Claimed> claimed, Preparing preparing) {
        if (claimed.isEmpty()) {
            return;
        }
        database.transacted(sql -> {
            var prepared = preparing.prepare(sql);
            for (var each : claimed) {
                prepared.set("position", each.position()).set("me", me).add();
            }
            return prepared.updateBatch();
        });
    }
}
