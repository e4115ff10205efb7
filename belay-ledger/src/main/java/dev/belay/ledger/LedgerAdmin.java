package dev.belay.ledger;

import dev.belay.job.By;
import dev.belay.job.Limits;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The ledger for people: what is recorded, and what only they can know. Whatever they change is in its audit log.
 * Thread-safe.
 */
public final class LedgerAdmin {

    /** The most that one page holds. */
    public static final int PAGE = 1_000;

    private final Database database;
    private final Duration retention;

    LedgerAdmin(Database database, Duration retention) {
        this.database = database;
        this.retention = retention;
    }

    /** What became of a change. */
    public enum Change {
        DONE,
        /** No such effect is recorded. */
        MISSING,
        /** It is not in a state that allows it. */
        WRONG_STATE
    }

    /**
     * What was done by people.
     *
     * @param action {@code resolve} or {@code release}
     */
    public record AuditEntry(Instant at, String actor, String action, String scope, String key, String reason) {}

    /** An effect by its scope and key. */
    public Optional<LedgerEntry> find(String scope, String key) {
        return database.statement(sql -> Optional.ofNullable(row(sql, scope, key)))
                .map(Row::entry);
    }

    /**
     * What is not completed, oldest first: what somebody is making, what failed for good, what waits for a person.
     *
     * @param after the last entry of the page before; null for the first page
     * @param limit 1 to {@link #PAGE}
     */
    public List<LedgerEntry> open(@Nullable LedgerEntry after, int limit) {
        Limits.range("limit", limit, 1, PAGE);
        return database.statement(sql -> sql.untimed("open")
                .set(
                        "createdAt",
                        after == null ? Long.MIN_VALUE : after.createdAt().toEpochMilli())
                .set("hash", after == null ? new byte[0] : Hash.of(after.scope(), after.key()))
                .set("limit", (long) limit)
                .list(row -> Row.read(row).entry()));
    }

    /** What waits for a person, oldest first. */
    public List<LedgerEntry> unknown(int limit) {
        Limits.range("limit", limit, 1, PAGE);
        return database.statement(sql -> sql.untimed("unknown")
                .set("limit", (long) limit)
                .list(row -> Row.read(row).entry()));
    }

    /**
     * Says of an effect that is in doubt, or whose attempt is over, that it happened: later deliveries get the result.
     *
     * @param result what a call would have answered, as the codec encodes it; null for none
     * @param encoding of the result: {@code json}
     */
    public Change happened(String scope, String key, byte @Nullable [] result, String encoding, By by) {
        if (result != null) {
            Limits.bytes("result", result.length, Limits.RESULT_BYTES);
        }
        return change(
                scope,
                key,
                "resolve",
                "happened",
                by,
                (sql, row) -> isOpen(row)
                        && sql.timed("resolve")
                                        .set("hash", row.hash())
                                        .set("version", row.version())
                                        .set("result", result)
                                        .set("encoding", encoding)
                                        .set("retention", retention.toMillis())
                                        .update()
                                == 1);
    }

    /** Says of an effect that is in doubt, or whose attempt is over, that it did not happen: its key is free. */
    public Change didNotHappen(String scope, String key, By by) {
        return change(scope, key, "resolve", "did not happen", by, (sql, row) -> isOpen(row) && remove(sql, row));
    }

    /**
     * Frees a key, whatever is recorded of it: the next delivery makes the effect again.
     *
     * @param evenIfHeld also where somebody may be making it just now
     */
    public Change release(String scope, String key, boolean evenIfHeld, By by) {
        return change(
                scope,
                key,
                "release",
                "",
                by,
                (sql, row) -> (evenIfHeld || !row.entry().isHeld()) && remove(sql, row));
    }

    /** What people did, newest first. */
    public List<AuditEntry> audit(int limit) {
        Limits.range("limit", limit, 1, PAGE);
        return database.statement(
                sql -> sql.untimed("audit-list").set("limit", (long) limit).list(LedgerAdmin::auditEntry));
    }

    private static AuditEntry auditEntry(ResultSet row) throws SQLException {
        return new AuditEntry(
                Instant.ofEpochMilli(row.getLong(1)),
                row.getString(2),
                row.getString(3),
                row.getString(4),
                row.getString(5),
                row.getString(6));
    }

    private interface Changing {
        boolean apply(Sql sql, Row row) throws SQLException;
    }

    private Change change(String scope, String key, String action, String what, By by, Changing changing) {
        return database.transacted(sql -> {
            var row = row(sql, scope, key);
            if (row == null) {
                return Change.MISSING;
            }
            if (!changing.apply(sql, row)) {
                return Change.WRONG_STATE;
            }
            var why = by.why() == null ? "" : by.why();
            sql.timed("audit-add")
                    .set("actor", by.who())
                    .set("action", action)
                    .set("scope", scope)
                    .set("key", key)
                    .set("reason", what.isEmpty() || why.isEmpty() ? what + why : what + ": " + why)
                    .update();
            return Change.DONE;
        });
    }

    private static boolean remove(Sql sql, Row row) throws SQLException {
        return sql.untimed("remove")
                        .set("hash", row.hash())
                        .set("version", row.version())
                        .update()
                == 1;
    }

    private static boolean isOpen(Row row) {
        return row.entry().state() == LedgerEntry.State.PENDING && !row.entry().isHeld();
    }

    private static @Nullable Row row(Sql sql, String scope, String key) throws SQLException {
        return sql.untimed("find").set("hash", Hash.of(scope, key)).<@Nullable Row>first(Row::read);
    }
}
