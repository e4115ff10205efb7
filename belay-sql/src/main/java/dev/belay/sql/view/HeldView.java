package dev.belay.sql.view;

import dev.belay.jdbc.Statements;
import dev.belay.job.LeaseId;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Which leases are held. */
public final class HeldView {

    private HeldView() {}

    public static List<Boolean> held(Statements sql, long namespace, List<LeaseId> leases) throws SQLException {
        var held = new ArrayList<Boolean>(leases.size());
        for (var lease : leases) {
            held.add(sql.get("flight-holds")
                            .set("namespace", namespace)
                            .set("queue", lease.queue())
                            .set("id", lease.job().value())
                            .set("token", lease.token())
                            .set("session", lease.session().value())
                            .number(0)
                    > 0);
        }
        return List.copyOf(held);
    }
}
