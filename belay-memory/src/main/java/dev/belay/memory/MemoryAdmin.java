package dev.belay.memory;

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
import dev.belay.job.NewJob;
import dev.belay.job.SessionId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The administrative side of a node: every call is one step. */
final class MemoryAdmin implements BrokerAdmin {

    private final MemoryBroker node;

    MemoryAdmin(MemoryBroker node) {
        this.node = node;
    }

    @Override
    public long time() {
        return node.call(() -> store().now());
    }

    @Override
    public Optional<JobDetail> find(@Nullable String queue, JobId id) {
        return node.call(() -> operations().listing.find(queue, id));
    }

    @Override
    public JobPage list(JobQuery query, @Nullable String cursor, int limit) {
        return node.call(() -> operations().listing.list(query, cursor, limit));
    }

    @Override
    public long count(JobQuery query, long atMost) {
        return node.call(() -> operations().listing.count(query, atMost));
    }

    @Override
    public List<QueueView> queues() {
        return node.call(() -> operations().queues.queues());
    }

    @Override
    public List<EventCount> statistics(StatisticsQuery query) {
        return node.call(() -> operations().queues.events(query));
    }

    @Override
    public List<TimesDelta> times(StatisticsQuery query) {
        return node.call(() -> operations().queues.times(query));
    }

    @Override
    public List<SessionView> sessions() {
        return node.call(
                () -> store().sessions.values().stream().map(SessionState::view).toList());
    }

    @Override
    public Verdict tell(SessionId session, Command.Kind command, By by) {
        return node.call(() -> operations().queues.tell(session, command, by));
    }

    @Override
    public Verdict cancel(@Nullable String queue, JobId id, By by) {
        return node.call(() -> operations().jobs.cancel(queue, id, by));
    }

    @Override
    public Verdict runNow(@Nullable String queue, JobId id, By by) {
        return node.call(() -> operations().jobs.runNow(queue, id, by));
    }

    @Override
    public Verdict edit(@Nullable String queue, JobId id, JobEdit edit, By by) {
        return node.call(() -> operations().jobs.edit(queue, id, edit, by));
    }

    @Override
    public Verdict replay(@Nullable String queue, JobId id, @Nullable Long onlyIfFinishedBy, By by) {
        return node.call(() -> operations().jobs.replay(queue, id, onlyIfFinishedBy, by));
    }

    @Override
    public Verdict replace(@Nullable String queue, JobId id, NewJob replacement, By by) {
        return node.call(() -> operations().jobs.replace(queue, id, replacement, by));
    }

    @Override
    public Verdict discard(@Nullable String queue, JobId id, @Nullable Long onlyIfFinishedBy, By by) {
        return node.call(() -> operations().jobs.discard(queue, id, onlyIfFinishedBy, by));
    }

    @Override
    public void pause(String queue, By by) {
        node.run(() -> operations().queues.setPaused(queue, true, by));
    }

    @Override
    public void resume(String queue, By by) {
        node.run(() -> operations().queues.setPaused(queue, false, by));
    }

    @Override
    public void configure(String queue, QueueSettings settings, By by) {
        node.run(() -> operations().queues.configure(queue, settings, by));
    }

    @Override
    public void configure(NamespaceSettings settings, By by) {
        node.run(() -> operations().queues.configure(settings, by));
    }

    @Override
    public Verdict removeQueue(String queue, By by) {
        return node.call(() -> operations().queues.remove(queue, by));
    }

    @Override
    public List<DeadGroup> deadGroups(@Nullable String queue, int limit) {
        return node.call(() -> operations().queues.deadGroups(queue, limit));
    }

    @Override
    public void writeAudit(AuditEntry entry) {
        node.run(() -> store().audit
                .add(store().now(), entry.action(), entry.queue(), entry.job(), entry.by(), entry.detail()));
    }

    @Override
    public AuditPage audit(@Nullable JobId job, @Nullable String cursor, int limit) {
        return node.call(() -> store().audit.page(job, cursor, limit));
    }

    @Override
    public Map<UnknownType, Long> unknownTypes() {
        return node.call(() -> operations().queues.unknownTypes());
    }

    @Override
    public List<StoreCheck> check() {
        return node.call(
                () -> List.of(
                        new StoreCheck(
                                "durability",
                                StoreCheck.Result.WARNING,
                                "jobs are kept in memory and end with the process: meant for tests, use another broker for real work")));
    }

    private Operations operations() {
        return node.operations();
    }

    private Store store() {
        return node.operations().store;
    }
}
