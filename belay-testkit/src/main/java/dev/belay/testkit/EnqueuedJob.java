package dev.belay.testkit;

import dev.belay.broker.JobDetail;
import dev.belay.handler.Codecs;
import dev.belay.handler.UndecodableException;
import dev.belay.job.Job;
import dev.belay.job.JobType;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A job that was enqueued.
 *
 * @param firstRunAt when it was to start, before retries moved that
 */
record EnqueuedJob(JobDetail detail, long firstRunAt, Codecs codecs) {

    private static final int LISTED = 20;
    private static final int SHOWN = 200;

    Job job() {
        return detail.job();
    }

    boolean isOf(JobType<?> type) {
        return job().type().equals(type.name()) || type.aliases().contains(job().type());
    }

    /** From acceptance to the earliest start. */
    Duration delay() {
        return Duration.ofMillis(Math.max(0, firstRunAt - job().times().createdAt()));
    }

    /** Null where it can't be decoded. */
    <P> @Nullable P decode(JobType<P> type) {
        var payload = detail.payload();
        try {
            return payload == null ? null : codecs.decode(payload, type);
        } catch (UndecodableException e) {
            return null;
        }
    }

    /** For messages of assertions. */
    static String list(List<EnqueuedJob> jobs) {
        if (jobs.isEmpty()) {
            return "nothing was enqueued.";
        }
        var text = new StringBuilder(jobs.size() == 1 ? "this was:" : "these " + jobs.size() + " were:");
        jobs.stream().limit(LISTED).forEach(job -> text.append("\n  ").append(job));
        if (jobs.size() > LISTED) {
            text.append("\n  … and ").append(jobs.size() - LISTED).append(" more");
        }
        return text.toString();
    }

    @Override
    public String toString() {
        var text = new StringBuilder(job().type()).append(" in queue ").append(job().queue());
        if (job().key().explicit()) {
            text.append(", key '").append(job().key().value()).append('\'');
        }
        if (!delay().isZero()) {
            text.append(", delayed by ").append(delay());
        }
        if (!job().options().tags().isEmpty()) {
            text.append(", tags ").append(job().options().tags());
        }
        text.append(", priority ").append(job().options().priority());
        text.append(", ").append(job().state()).append(": ");
        var payload = detail.payload();
        var shown = payload == null ? "(unreadable)" : codecs.show(payload).replaceAll("\\s+", " ");
        return text.append(shown.length() <= SHOWN ? shown : shown.substring(0, SHOWN) + "…")
                .toString();
    }
}
