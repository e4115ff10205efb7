package dev.belay.sql;

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
import dev.belay.jdbc.Statements;
import dev.belay.job.By;
import dev.belay.job.JobId;
import dev.belay.job.Limits;
import dev.belay.job.NewJob;
import dev.belay.job.SessionId;
import dev.belay.sql.step.Audit;
import dev.belay.sql.step.JobActions;
import dev.belay.sql.step.QueueActions;
import dev.belay.sql.view.AuditView;
import dev.belay.sql.view.JobDetails;
import dev.belay.sql.view.JobListing;
import dev.belay.sql.view.QueueViews;
import dev.belay.sql.view.StatisticsView;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The administrative side of a broker in a database. */
public final class SqlAdmin implements BrokerAdmin {

    private final SqlStore store;

    public SqlAdmin(SqlStore store) {
        this.store = store;
    }

    @Override
    public long time() {
        store.checkOpen();
        return store.time();
    }

    @Override
    public Optional<JobDetail> find(@Nullable String queue, JobId id) {
        var found = look(queue, id);
        if (found.isPresent() && !found.get().corrupt().isEmpty()) {
            bury(found.get().corrupt());
            found = look(queue, id);
        }
        return found.map(JobDetails.Found::detail);
    }

    private Optional<JobDetails.Found> look(@Nullable String queue, JobId id) {
        return store.read(
                sql -> Optional.ofNullable(new JobDetails(sql, namespace(), store.filterSql()).find(queue, id)));
    }

    @Override
    public JobPage list(JobQuery query, @Nullable String cursor, int limit) {
        while (true) {
            var page = store.read(sql -> {
                Limits.range("limit", limit, 1, Integer.MAX_VALUE - 1);
                return listing(sql).page(query, cursor, limit);
            });
            // A record that can't be read becomes a dead letter on the way; the page is read anew as long as some do.
            if (page.corrupt().isEmpty() || bury(page.corrupt()) == 0) {
                return new JobPage(page.jobs(), page.next());
            }
        }
    }

    private int bury(List<Long> corrupt) {
        return store.write(tx -> JobActions.bury(tx, corrupt));
    }

    @Override
    public long count(JobQuery query, long atMost) {
        return store.read(sql -> listing(sql).count(query, atMost));
    }

    @Override
    public List<QueueView> queues() {
        return store.read(sql -> new QueueViews(sql, namespace()).queues());
    }

    @Override
    public List<EventCount> statistics(StatisticsQuery query) {
        return store.read(sql -> new StatisticsView(sql, namespace(), query).events());
    }

    @Override
    public List<TimesDelta> times(StatisticsQuery query) {
        return store.read(sql -> new StatisticsView(sql, namespace(), query).times());
    }

    @Override
    public List<SessionView> sessions() {
        return store.read(sql -> new QueueViews(sql, namespace()).sessions());
    }

    @Override
    public Verdict tell(SessionId session, Command.Kind command, By by) {
        return store.write(tx -> QueueActions.tell(tx, session, command, by));
    }

    @Override
    public Verdict cancel(@Nullable String queue, JobId id, By by) {
        return store.act(tx -> new JobActions(tx, by).cancel(queue, id));
    }

    @Override
    public Verdict runNow(@Nullable String queue, JobId id, By by) {
        return store.act(tx -> new JobActions(tx, by).runNow(queue, id));
    }

    @Override
    public Verdict edit(@Nullable String queue, JobId id, JobEdit edit, By by) {
        return store.act(tx -> new JobActions(tx, by).edit(queue, id, edit));
    }

    @Override
    public Verdict replay(@Nullable String queue, JobId id, @Nullable Long onlyIfFinishedBy, By by) {
        return store.act(tx -> new JobActions(tx, by).replay(queue, id, onlyIfFinishedBy));
    }

    @Override
    public Verdict replace(@Nullable String queue, JobId id, NewJob replacement, By by) {
        return store.act(tx -> new JobActions(tx, by).replace(queue, id, replacement));
    }

    @Override
    public Verdict discard(@Nullable String queue, JobId id, @Nullable Long onlyIfFinishedBy, By by) {
        return store.act(tx -> new JobActions(tx, by).discard(queue, id, onlyIfFinishedBy));
    }

    @Override
    public void pause(String queue, By by) {
        store.change(tx -> QueueActions.setPaused(tx, queue, true, by));
    }

    @Override
    public void resume(String queue, By by) {
        store.change(tx -> QueueActions.setPaused(tx, queue, false, by));
    }

    @Override
    public void configure(String queue, QueueSettings settings, By by) {
        store.change(tx -> QueueActions.configure(tx, queue, settings, by));
    }

    @Override
    public void configure(NamespaceSettings settings, By by) {
        store.change(tx -> QueueActions.configure(tx, settings, by));
    }

    @Override
    public Verdict removeQueue(String queue, By by) {
        return store.write(tx -> QueueActions.remove(tx, queue, by));
    }

    @Override
    public List<DeadGroup> deadGroups(@Nullable String queue, int limit) {
        return store.read(sql -> new QueueViews(sql, namespace()).deadGroups(queue, limit));
    }

    @Override
    public void writeAudit(AuditEntry entry) {
        store.change(tx -> Audit.write(tx, entry));
    }

    @Override
    public AuditPage audit(@Nullable JobId job, @Nullable String cursor, int limit) {
        return store.read(sql -> AuditView.page(sql, namespace(), job, cursor, limit));
    }

    @Override
    public Map<UnknownType, Long> unknownTypes() {
        return store.read(sql -> new QueueViews(sql, namespace()).unknownTypes());
    }

    @Override
    public List<StoreCheck> check() {
        return store.check();
    }

    private JobListing listing(Statements sql) throws SQLException {
        return new JobListing(sql, namespace(), store.filterSql());
    }

    private long namespace() {
        return store.namespace().id();
    }
}
