package dev.belay.sqlite.step;

import dev.belay.broker.Broker.Death;
import dev.belay.broker.Event;
import dev.belay.broker.Lease;
import dev.belay.broker.LeaseReply;
import dev.belay.broker.LeaseReply.Status;
import dev.belay.broker.LeaseRequest;
import dev.belay.job.DeadReason;
import dev.belay.job.Job;
import dev.belay.job.JobState;
import dev.belay.job.LeaseId;
import dev.belay.job.Payload;
import dev.belay.sqlite.record.CorruptRecordException;
import dev.belay.sqlite.record.JobRecords;
import dev.belay.sqlite.record.JobRow;
import dev.belay.sqlite.record.Jobs;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Hands jobs out, in order. */
public final class LeaseStep {

    /** Each token that this divides goes to the job that has waited longest, whatever its priority. */
    private static final int LONGEST_WAITING_EVERY = 10;

    /** How long a record of a newer version is put off: this version can't run it, another may. */
    private static final long NEWER_PUT_OFF_MILLIS = 30_000;

    /** As many jobs that can't be started are moved out of the way by one call. */
    private static final int OBSTACLES = 500;

    private final Tx tx;
    private final LeaseRequest request;
    private final SessionRow session;
    private final QueueRow queue;
    private final Moves moves;

    private final List<Lease> leases = new ArrayList<>();
    private final List<JobRow> rows = new ArrayList<>();
    private final List<JobRow> obstacles = new ArrayList<>();
    private final List<Death> deaths = new ArrayList<>();
    private long bytes;
    private int fragile;
    private boolean more;

    private LeaseStep(Tx tx, LeaseRequest request, SessionRow session, QueueRow queue) {
        this.tx = tx;
        this.request = request;
        this.session = session;
        this.queue = queue;
        this.moves = new Moves(tx);
    }

    public static LeaseReply run(Tx tx, LeaseRequest request) throws SQLException {
        var session = tx.liveSession(request.session());
        if (session == null) {
            return LeaseReply.none(Status.ENDED);
        }
        if (request.number() <= session.fence || request.number() <= session.newestCall) {
            return LeaseReply.none(Status.FENCED);
        }
        session.newestCall = request.number();
        tx.sql
                .get("session-called")
                .set("session", session.no)
                .set("number", request.number())
                .update();
        return new LeaseStep(tx, request, session, tx.queue(session.queueName)).run();
    }

    private LeaseReply run() throws SQLException {
        var promotion = new Promotion(tx, queue);
        promotion.run(deaths);
        var heads = promotion.heads();
        if (!queue.paused) {
            take(heads);
        } else {
            more = heads.hasReady();
        }
        var suspectWaiting = heads.suspects() > (request.suspect() ? leases.size() : 0);
        return new LeaseReply(
                queue.paused ? Status.PAUSED : Status.OK,
                List.copyOf(leases),
                more,
                suspectWaiting,
                promotion.nextDue(heads),
                List.copyOf(deaths));
    }

    private void take(Heads heads) throws SQLException {
        try (var line = ReadyLines.open(tx, queue, heads, request.suspect())) {
            if (request.suspect()) {
                pick(line, 1);
                more = heads.hasReady();
            } else {
                pick(line, request.slots() + request.extra());
                more = line.isMore();
            }
            line.takePlaces();
        }
        // Only now, as their places are taken: a job that is moved must not be met again.
        for (var obstacle : obstacles) {
            move(obstacle);
        }
        lease();
    }

    private void pick(ReadyLines lines, int wanted) throws SQLException {
        while (leases.size() < wanted && obstacles.size() < OBSTACLES) {
            var longestWaiting = !request.suspect() && (queue.token + leases.size() + 1) % LONGEST_WAITING_EVERY == 0;
            var job = lines.next(longestWaiting, fragile < request.slots());
            if (job == null) {
                return;
            }
            var startable = canStart(job);
            if (startable && !leases.isEmpty() && bytes + job.payloadSize > request.maxBytes()) {
                return;
            }
            var lease = startable && lines.isTrue() ? lease(lines, job) : null;
            if (lease == null) {
                obstacles.add(job);
            } else {
                bytes += job.payloadSize;
                fragile += job.hasOneCrashLeft() ? 1 : 0;
                leases.add(lease);
                rows.add(job);
            }
            lines.skip();
        }
    }

    private boolean canStart(JobRow job) {
        return job.format <= Job.FORMAT && !job.isExpired(tx.now);
    }

    /** The lease of a job as it will stand; null where the record can't be read. */
    private @Nullable Lease lease(ReadyLines lines, JobRow job) throws SQLException {
        var waited = Math.max(0, tx.now - job.at);
        job.token = queue.token + leases.size() + 1;
        job.line = dev.belay.sqlite.record.Lines.RUNNING;
        job.leasedAt = tx.now;
        job.begunAt = null;
        job.deliveries++;
        try {
            var view = JobRecords.job(job, queue.name, session.id);
            var payload = new Payload(lines.payload(job), job.encoding, job.schemaVersion);
            return new Lease(new LeaseId(queue.name, view.id(), job.token, session.id), view, payload, waited);
        } catch (CorruptRecordException | IllegalArgumentException e) {
            return null;
        }
    }

    /** Moves a job out of the way that can't be started. */
    private void move(JobRow met) throws SQLException {
        // Read anew: it was changed in memory on the way to a lease.
        var job = Jobs.bySeq(tx.sql, met.seq);
        if (job == null || isElsewhere(job)) {
            // A place without its job: taking it away was all there is to do.
            return;
        }
        if (job.format > Job.FORMAT) {
            moves.schedule(job, tx.now + NEWER_PUT_OFF_MILLIS);
        } else if (moves.isCorrupt(job, null)) {
            deaths.add(Moves.death(queue, job, DeadReason.CORRUPT));
        } else {
            deaths.add(moves.expire(queue, job));
        }
        moves.save(job);
    }

    /** Whether a job is final, in flight or in another line: then the place where it was met was not its own. */
    private static boolean isElsewhere(JobRow job) {
        return job.isRunning() || job.isFinal() || job.isScheduled();
    }

    private void lease() throws SQLException {
        if (rows.isEmpty()) {
            return;
        }
        var take = tx.sql
                .get("flight-add")
                .set("queue", queue.id)
                .set("session", session.no)
                .set("now", tx.now);
        for (var i = 0; i < rows.size(); i++) {
            var job = rows.get(i);
            take.set("job", job.seq).set("token", job.token).add();
            tx.tally.event(queue.id, job.type, Event.LEASED, 1);
            tx.leased()
                    .put(
                            leases.get(i).id(),
                            new Leased.Facts(
                                    job.seq,
                                    job.id,
                                    session.no,
                                    job.type,
                                    job.key,
                                    job.retention,
                                    job.payloadSize > Accepting.INLINE_BYTES,
                                    job.more,
                                    job.historyCount == 0));
        }
        take.updateBatch();
        queue.token += rows.size();
        tx.tally.token(queue.id, queue.token);
        tx.tally.jobs(queue.id, JobState.READY, -rows.size());
        tx.tally.jobs(queue.id, JobState.RUNNING, rows.size());
    }
}
