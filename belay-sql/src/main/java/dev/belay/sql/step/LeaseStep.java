package dev.belay.sql.step;

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
import dev.belay.sql.row.CorruptRecordException;
import dev.belay.sql.row.JobRecords;
import dev.belay.sql.row.JobRow;
import dev.belay.sql.row.Lines;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

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
    private final List<Payload> payloads = new ArrayList<>();
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
                .later();
        var queue = tx.queueToLease(session.queueName);
        return new LeaseStep(tx, request, session, queue).run();
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
        var wanted = request.suspect() ? 1 : request.slots() + request.extra();
        try (var line = tx.readyLines(queue, heads, request.suspect(), wanted)) {
            pick(line, wanted);
            more = request.suspect() ? heads.hasReady() : line.isMore();
            line.takePlaces();
        }
        // Only now, as their places are taken: a job that is moved must not be met again.
        for (var obstacle : obstacles) {
            move(obstacle);
        }
        lease();
    }

    private void pick(ReadyLines lines, int wanted) throws SQLException {
        while (rows.size() < wanted && obstacles.size() < OBSTACLES) {
            var longestWaiting = !request.suspect() && (queue.token + rows.size() + 1) % LONGEST_WAITING_EVERY == 0;
            var job = lines.next(longestWaiting, fragile < request.slots());
            if (job == null) {
                return;
            }
            var startable = canStart(job);
            if (startable && !rows.isEmpty() && bytes + job.payloadSize > request.maxBytes()) {
                return;
            }
            if (startable && lines.isTrue() && !JobRecords.isCorrupt(job)) {
                bytes += job.payloadSize;
                fragile += job.hasOneCrashLeft() ? 1 : 0;
                rows.add(job);
                payloads.add(new Payload(lines.payload(job), job.encoding, job.schemaVersion));
            } else {
                obstacles.add(job);
            }
            lines.skip();
        }
    }

    private boolean canStart(JobRow job) {
        return job.format <= Job.FORMAT && !job.isExpired(tx.now);
    }

    /** The lease of a job, as it stands from now on. */
    private Lease lease(JobRow job, Payload payload, long token) throws SQLException {
        var waited = Math.max(0, tx.now - job.at);
        job.token = token;
        job.line = Lines.RUNNING;
        job.leasedAt = tx.now;
        job.begunAt = null;
        job.deliveries++;
        try {
            var view = JobRecords.job(job, queue.name, session.id);
            return new Lease(new LeaseId(queue.name, view.id(), token, session.id), view, payload, waited);
        } catch (CorruptRecordException e) {
            throw new SQLException("job " + job.seq + " could be read, and now can't be", e);
        }
    }

    /** Moves a job out of the way that can't be started. */
    private void move(JobRow met) throws SQLException {
        var job = tx.met(met);
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
        var tokens = tx.tokens(queue, rows.size());
        for (var i = 0; i < rows.size(); i++) {
            var job = rows.get(i);
            leases.add(lease(job, payloads.get(i), tokens[i]));
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
        take.batchLater();
        tx.tally.jobs(queue.id, JobState.READY, -rows.size());
        tx.tally.jobs(queue.id, JobState.RUNNING, rows.size());
    }
}
