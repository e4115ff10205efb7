package dev.belay.memory;

import dev.belay.broker.JobDetail;
import dev.belay.broker.JobPage;
import dev.belay.broker.JobQuery;
import dev.belay.job.InvalidInputException;
import dev.belay.job.Job;
import dev.belay.job.JobId;
import dev.belay.job.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** Finds jobs and lists them. A record that can't be read becomes a dead letter on the way, and never an error. */
final class Listing {

    private final Store store;
    private final Moves moves;

    Listing(Store store, Moves moves) {
        this.store = store;
        this.moves = moves;
    }

    Optional<JobDetail> find(@Nullable String queue, JobId id) {
        var job = store.job(queue, id);
        if (job == null) {
            return Optional.empty();
        }
        var corrupt = moves.isCorrupt(job, store.now());
        return Optional.of(new JobDetail(
                job.view(), corrupt ? null : job.request.payload(), job.result, job.history.entries(), job.raw));
    }

    JobPage list(JobQuery query, @Nullable String cursor, int limit) {
        Limits.range("limit", limit, 1, Integer.MAX_VALUE);
        var after = cursor == null ? null : parse(cursor);
        var found = matching(query, after).limit(limit + 1L).toList();
        if (found.size() <= limit) {
            return new JobPage(views(found), null);
        }
        var page = found.subList(0, limit);
        return new JobPage(views(page), cursor(page.get(limit - 1)));
    }

    long count(JobQuery query, long atMost) {
        return matching(query, null).limit(Math.max(0, atMost)).count();
    }

    private Stream<StoredJob> matching(JobQuery query, Store.@Nullable Place after) {
        var now = store.now();
        var all = after == null ? store.newestFirst : store.newestFirst.tailMap(after, false);
        // Not all.values().stream(): a part of a tree map counts all its entries for that.
        var jobs = Spliterators.spliteratorUnknownSize(all.values().iterator(), Spliterator.ORDERED);
        return StreamSupport.stream(jobs, false).filter(job -> {
            moves.isCorrupt(job, now);
            return matches(query, job);
        });
    }

    private static boolean matches(JobQuery query, StoredJob job) {
        return any(query.queue(), job.queue())
                && any(query.type(), job.type())
                && (query.states().isEmpty() || query.states().contains(job.state))
                && any(query.errorClass(), job.lastError == null ? null : job.lastError.errorClass())
                && any(query.errorFingerprint(), job.lastError == null ? null : job.lastError.fingerprint())
                && any(query.reason(), job.reason)
                && any(query.key(), job.key().value())
                && (query.tag() == null || job.options.tags().contains(query.tag()))
                && (query.finishedFrom() == null || (job.finishedAt != null && job.finishedAt >= query.finishedFrom()))
                && (query.finishedTo() == null || (job.finishedAt != null && job.finishedAt <= query.finishedTo()));
    }

    private static boolean any(@Nullable String wanted, @Nullable String is) {
        return wanted == null || Objects.equals(wanted, is);
    }

    private static List<Job> views(List<StoredJob> jobs) {
        var views = new ArrayList<Job>();
        jobs.forEach(job -> views.add(job.view()));
        return List.copyOf(views);
    }

    private static String cursor(StoredJob last) {
        return last.createdAt + "/" + last.id() + "/" + last.queue();
    }

    private static Store.Place parse(String cursor) {
        var parts = cursor.split("/", -1);
        try {
            if (parts.length == 3) {
                return new Store.Place(Long.parseLong(parts[0]), JobId.parse(parts[1]), parts[2]);
            }
        } catch (IllegalArgumentException e) {
            // falls through to the one message for every wrong text
        }
        throw new InvalidInputException("cursor", "must be one that a page named as next, but is '" + cursor + "'");
    }
}
