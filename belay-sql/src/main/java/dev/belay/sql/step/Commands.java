package dev.belay.sql.step;

import dev.belay.broker.Command;
import dev.belay.jdbc.Rows;
import dev.belay.job.JobId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The numbered commands to sessions. */
final class Commands {

    private static final String LEASE_REVOKED = "LEASE_REVOKED";

    private Commands() {}

    /** Leaves a command for a session. */
    static void leave(Tx tx, long session, String kind, byte @Nullable [] job, @Nullable Long token)
            throws SQLException {
        var number = tx.sql
                .get("command-number")
                .set("session", session)
                .returning(row -> row.getLong(1))
                .get(0);
        tx.sql
                .get("command-add")
                .set("session", session)
                .set("number", number)
                .set("kind", kind)
                .set("job", job)
                .set("token", token)
                .later();
    }

    static List<Command> list(Tx tx, long session) throws SQLException {
        return tx.sql.get("command-list").set("session", session).list(Commands::read);
    }

    private static Command read(ResultSet row) throws SQLException {
        var number = row.getLong(1);
        var kind = row.getString(2);
        return switch (kind) {
            case LEASE_REVOKED ->
                new Command.LeaseRevoked(number, new JobId(Rows.uuid(row.getBytes(3))), row.getLong(4));
            case "RESUME" -> new Command.Resume(number);
            case "DRAIN" -> new Command.Drain(number);
            // A kind that a newer version knows: to lease no more is what can't be wrong.
            default -> new Command.GoQuiet(number);
        };
    }
}
