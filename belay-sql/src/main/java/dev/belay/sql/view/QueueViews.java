package dev.belay.sql.view;

import dev.belay.broker.BrokerAdmin.QueueView;
import dev.belay.broker.BrokerAdmin.SessionView;
import dev.belay.broker.BrokerAdmin.UnknownType;
import dev.belay.broker.DeadGroup;
import dev.belay.jdbc.Statements;
import dev.belay.job.Limits;
import dev.belay.sql.row.Lines;
import dev.belay.sql.step.Heads;
import dev.belay.sql.step.QueueRow;
import dev.belay.sql.step.SessionRow;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a person, or a tool for them, sees of queues, sessions and groups of dead letters. */
public final class QueueViews {

    private final Statements sql;
    private final long namespace;

    public QueueViews(Statements sql, long namespace) {
        this.sql = sql;
        this.namespace = namespace;
    }

    public List<QueueView> queues() throws SQLException {
        var views = new ArrayList<QueueView>();
        for (var queue : rows()) {
            var live = sql.get("session-live-count").set("queue", queue.id).number(0);
            views.add(new QueueView(
                    queue.name,
                    queue.isPaused(),
                    queue.settings(),
                    Map.copyOf(queue.counts),
                    (int) live,
                    oldestReadyAt(queue)));
        }
        return List.copyOf(views);
    }

    private @Nullable Long oldestReadyAt(QueueRow queue) throws SQLException {
        var heads = Heads.read(sql, queue.id);
        Long oldest = null;
        for (var line = Lines.SOUND; line < Lines.SCHEDULED; line++) {
            var at = heads.at(line);
            oldest = at == null || (oldest != null && oldest <= at) ? oldest : at;
        }
        return oldest;
    }

    public List<SessionView> sessions() throws SQLException {
        var views = new ArrayList<SessionView>();
        for (var session : sql.get("session-all").set("namespace", namespace).list(SessionRow::read)) {
            var types = new HashMap<String, Integer>();
            sql.get("session-types").set("session", session.no).list(row -> types.put(row.getString(1), row.getInt(2)));
            var held = sql.get("flight-count")
                    .set("queue", session.queue)
                    .set("session", session.no)
                    .number(0);
            views.add(session.view(types, (int) held));
        }
        return List.copyOf(views);
    }

    public List<DeadGroup> deadGroups(@Nullable String queue, int limit) throws SQLException {
        Limits.range("limit", limit, 1, Integer.MAX_VALUE);
        return sql.get("dead-groups")
                .set("namespace", namespace)
                .set("queue", queue)
                .set("limit", limit)
                .list(row -> new DeadGroup(
                        row.getString(1),
                        row.getString(2),
                        row.getString(3),
                        row.getString(4),
                        row.getString(5),
                        row.getString(6),
                        row.getLong(7),
                        row.getLong(8),
                        row.getLong(9)));
    }

    public Map<UnknownType, Long> unknownTypes() throws SQLException {
        var found = new HashMap<UnknownType, Long>();
        for (var queue : rows()) {
            sql.get("unknown-waiting")
                    .set("queue", queue.id)
                    .list(row ->
                            found.put(new UnknownType(queue.name, row.getString(1), row.getInt(2)), row.getLong(3)));
        }
        return Map.copyOf(found);
    }

    private List<QueueRow> rows() throws SQLException {
        return sql.get("queue-all").set("namespace", namespace).list(QueueRow::read);
    }
}
