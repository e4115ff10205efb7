package dev.belay.redis;

import static dev.belay.redis.RedisStore.ascii;
import static dev.belay.redis.RedisStore.utf8;

import dev.belay.broker.AuditEntry;
import dev.belay.broker.AuditPage;
import dev.belay.broker.BrokerAdmin;
import dev.belay.broker.Command;
import dev.belay.broker.DeadGroup;
import dev.belay.broker.EventCount;
import dev.belay.broker.JobDetail;
import dev.belay.broker.JobEdit;
import dev.belay.broker.JobPage;
import dev.belay.broker.JobQuery;
import dev.belay.broker.NamespaceSettings;
import dev.belay.broker.QueueSettings;
import dev.belay.broker.StatisticsQuery;
import dev.belay.broker.StoreCheck;
import dev.belay.broker.TimesDelta;
import dev.belay.broker.Verdict;
import dev.belay.job.By;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import dev.belay.job.Limits;
import dev.belay.job.Moment;
import dev.belay.job.NewJob;
import dev.belay.job.SessionId;
import dev.belay.redis.link.Script;
import dev.belay.redis.record.Groups;
import dev.belay.redis.record.Ids;
import dev.belay.redis.record.NewRecords;
import dev.belay.redis.record.Packed;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What people and tools do. */
final class RedisAdmin implements BrokerAdmin {

    private final RedisStore store;
    private final Jobs jobs;
    private final Listing listing;
    private final QueueViews views;
    private final Counts counts;
    private final AuditLog audits;

    RedisAdmin(RedisStore store, Jobs jobs) {
        this.store = store;
        this.jobs = jobs;
        this.listing = new Listing(store, jobs);
        this.views = new QueueViews(store, jobs);
        this.counts = new Counts(store);
        this.audits = new AuditLog(store);
    }

    @Override
    public long time() {
        return store.time();
    }

    @Override
    public Optional<JobDetail> find(@Nullable String queue, JobId id) {
        return jobs.find(queue, id);
    }

    @Override
    public JobPage list(JobQuery query, @Nullable String cursor, int limit) {
        return listing.list(query, cursor, limit);
    }

    @Override
    public long count(JobQuery query, long atMost) {
        return listing.count(query, atMost);
    }

    @Override
    public List<QueueView> queues() {
        return views.queues();
    }

    @Override
    public List<EventCount> statistics(StatisticsQuery query) {
        return counts.events(query);
    }

    @Override
    public List<TimesDelta> times(StatisticsQuery query) {
        return counts.times(query);
    }

    @Override
    public List<SessionView> sessions() {
        return views.sessions();
    }

    @Override
    public Verdict tell(SessionId session, Command.Kind command, By by) {
        var queue = store.queueOf(session);
        if (queue == null) {
            return Verdict.MISSING;
        }
        return queueAction(
                queue,
                "tell",
                by,
                command + " to session " + session + " of worker ",
                Ids.bytes(session),
                ascii(command.name()));
    }

    @Override
    public Verdict cancel(@Nullable String queue, JobId id, By by) {
        return act("cancel", queue, id, null, by, List.of());
    }

    @Override
    public Verdict runNow(@Nullable String queue, JobId id, By by) {
        return act("runNow", queue, id, null, by, List.of());
    }

    @Override
    public Verdict edit(@Nullable String queue, JobId id, JobEdit edit, By by) {
        var runAt = edit.runAt();
        return act(
                "edit",
                queue,
                id,
                null,
                by,
                Arrays.asList(
                        edit.priority(),
                        runAt == null ? null : (Integer) (runAt instanceof Moment.At ? 1 : 0),
                        runAt == null ? 0 : runAt.resolve(0),
                        edit.tags() == null ? null : NewRecords.tags(edit.tags()),
                        describe(edit)));
    }

    private String describe(JobEdit edit) {
        var text = new StringBuilder();
        if (edit.priority() != null) {
            text.append(", priority = ").append(edit.priority());
        }
        if (edit.runAt() != null) {
            text.append(", runAt = ").append(Instant.ofEpochMilli(edit.runAt().resolve(store.time())));
        }
        if (edit.tags() != null) {
            text.append(", tags = ").append(edit.tags());
        }
        return text.substring(2);
    }

    @Override
    public Verdict replay(@Nullable String queue, JobId id, @Nullable Long onlyIfFinishedBy, By by) {
        return act("replay", queue, id, onlyIfFinishedBy, by, List.of());
    }

    @Override
    public Verdict replace(@Nullable String queue, JobId id, NewJob replacement, By by) {
        jobs.checkPayload(replacement);
        if (!id.equals(replacement.links().replaces())) {
            throw RedisBroker.rejected(
                    "replaces",
                    "must be " + id + ", but is " + replacement.links().replaces());
        }
        var found = queueOf(queue, id);
        if (found != null && !found.equals(replacement.queue())) {
            throw RedisBroker.rejected(
                    "queue",
                    "must be '" + found + "', the queue of job " + id + ", but is '" + replacement.queue() + "'");
        }
        return act(
                "replace",
                queue,
                id,
                null,
                by,
                List.of(NewRecords.arguments(replacement), replacement.id().toString(), "takes the place of " + id),
                replacement);
    }

    @Override
    public Verdict discard(@Nullable String queue, JobId id, @Nullable Long onlyIfFinishedBy, By by) {
        return act("discard", queue, id, onlyIfFinishedBy, by, List.of());
    }

    private Verdict act(
            String action,
            @Nullable String queue,
            JobId id,
            @Nullable Long onlyIfFinishedBy,
            By by,
            List<? extends @Nullable Object> own) {
        return act(action, queue, id, onlyIfFinishedBy, by, own, null);
    }

    private Verdict act(
            String action,
            @Nullable String queue,
            JobId id,
            @Nullable Long onlyIfFinishedBy,
            By by,
            List<? extends @Nullable Object> own,
            @Nullable NewJob replacement) {
        var arguments = List.of(
                ascii(action),
                Ids.bytes(id),
                utf8(by.who()),
                utf8(by.why()),
                onlyIfFinishedBy == null ? ascii("any") : ascii(onlyIfFinishedBy),
                ascii(store.settings().dedupWindow().toMillis()),
                Packed.bytes(own));
        Verdict verdict = Verdict.MISSING;
        for (var name : queue == null ? store.queues() : List.of(queue)) {
            var answer = store.runWithSessions(Script.ACT, name, arguments);
            verdict = verdict(name, answer, replacement, id);
            if (!(verdict instanceof Verdict.Missing)) {
                return verdict;
            }
        }
        return verdict;
    }

    private Verdict verdict(String queue, List<Object> answer, @Nullable NewJob replacement, JobId id) {
        return switch (Replies.text(answer.get(0))) {
            case "missing" -> Verdict.MISSING;
            case "replaced" -> new Verdict.Replaced(Ids.job(Replies.bytes(answer.get(1))));
            case "wrong" -> new Verdict.WrongState(JobState.valueOf(Replies.text(answer.get(1))));
            case "applied" -> Replies.applied(answer);
            default -> {
                jobs.complete(queue, answer);
                yield replacement != null ? jobs.accepted(replacement, answer) : conflict(answer, id);
            }
        };
    }

    private static Verdict conflict(List<Object> answer, JobId id) {
        var holder = Ids.job(Replies.bytes(answer.get(1)));
        return new Verdict.Conflict(
                holder,
                Replies.state(answer.get(2)),
                "key '" + Replies.text(answer.get(7)) + "' of type '" + Replies.text(answer.get(6))
                        + "' is held by job " + holder + " with fingerprint "
                        + new dev.belay.job.Fingerprint(Replies.bytes(answer.get(4))) + ", first seen "
                        + Instant.ofEpochMilli(Replies.number(answer.get(5))) + "; job " + id + " has fingerprint "
                        + new dev.belay.job.Fingerprint(Replies.bytes(answer.get(8))));
    }

    private @Nullable String queueOf(@Nullable String queue, JobId id) {
        return jobs.find(queue, id).map(detail -> detail.job().queue()).orElse(null);
    }

    @Override
    public void pause(String queue, By by) {
        RedisBroker.checked(() -> Limits.name("queue", queue));
        store.register(queue);
        queueAction(queue, "pause", by, null);
    }

    @Override
    public void resume(String queue, By by) {
        RedisBroker.checked(() -> Limits.name("queue", queue));
        store.register(queue);
        queueAction(queue, "resume", by, null);
    }

    @Override
    public void configure(String queue, QueueSettings settings, By by) {
        RedisBroker.checked(() -> Limits.name("queue", queue));
        store.register(queue);
        var own = new ArrayList<>(Settings.arguments(settings));
        own.add(utf8(settings.toString()));
        own.add(utf8(QueueSettings.DEFAULT.toString()));
        queueAction(queue, "configure", by, null, own.toArray(byte[][]::new));
    }

    @Override
    public void configure(NamespaceSettings settings, By by) {
        audits.write("configure", null, by, store.settings() + " became " + settings);
        store.settings(settings);
    }

    @Override
    public Verdict removeQueue(String queue, By by) {
        RedisBroker.checked(() -> Limits.name("queue", queue));
        return queueAction(queue, "remove", by, null);
    }

    private Verdict queueAction(String queue, String action, By by, @Nullable String detail, byte[]... own) {
        var arguments = new ArrayList<byte[]>(List.of(ascii(action), utf8(by.who()), utf8(by.why()), utf8(detail)));
        arguments.addAll(Arrays.asList(own));
        return switch (Replies.text(
                store.run(Script.QUEUE, queue, List.of(), arguments).get(0))) {
            case "MISSING" -> Verdict.MISSING;
            case "BUSY" -> Verdict.BUSY;
            default -> Verdict.APPLIED;
        };
    }

    @Override
    public List<DeadGroup> deadGroups(@Nullable String queue, int limit) {
        RedisBroker.checked(() -> Limits.range("limit", limit, 1, Integer.MAX_VALUE));
        var groups = new ArrayList<DeadGroup>();
        for (var name : queue == null ? store.queues() : List.of(queue)) {
            Map<byte[], byte[]> stored =
                    store.call(commands -> commands.hgetall(store.keys(name).key("groups")));
            stored.forEach((field, value) -> {
                var group = Groups.group(name, field, value);
                if (group != null) {
                    groups.add(group);
                }
            });
        }
        return groups.stream().sorted(DeadGroup.MOST_FIRST).limit(limit).toList();
    }

    @Override
    public void writeAudit(AuditEntry entry) {
        audits.write(entry);
    }

    @Override
    public AuditPage audit(@Nullable JobId job, @Nullable String cursor, int limit) {
        return audits.page(job, cursor, limit);
    }

    @Override
    public Map<UnknownType, Long> unknownTypes() {
        return views.unknownTypes();
    }

    @Override
    public List<StoreCheck> check() {
        return new StoreChecks(store).run();
    }
}
