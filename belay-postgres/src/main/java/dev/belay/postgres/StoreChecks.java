package dev.belay.postgres;

import dev.belay.broker.BrokerException;
import dev.belay.broker.StoreCheck;
import dev.belay.broker.StoreCheck.Result;
import dev.belay.jdbc.Statements;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What must hold of the server for the guarantees to hold. */
final class StoreChecks {

    private static final long SKEW_MILLIS = 5_000;
    private static final int OLDEST_SERVER = 130000;

    private final PostgresStore store;
    private final Structure structure;
    private final List<StoreCheck> checks = new ArrayList<>();

    StoreChecks(PostgresStore store, Structure structure) {
        this.store = store;
        this.structure = structure;
    }

    List<StoreCheck> run() {
        store.read(sql -> {
            checkVersions(sql);
            checkServer(sql);
            checkDurability(sql);
            checkVacuum(sql);
            checkHorizon(sql);
            return true;
        });
        checkClock();
        return List.copyOf(checks);
    }

    private void checkVersions(Statements sql) throws SQLException {
        var versions = structure.migrations().read(sql.connection());
        add(
                "schema version",
                !structure.migrations().isTooOldFor(versions),
                "the store in " + structure + " is of version " + versions.version() + ", this program knows "
                        + structure.migrations().newest(),
                "the store needs a program that knows version " + versions.oldestCompatible() + ": use a newer Belay");
    }

    private void checkServer(Statements sql) throws SQLException {
        var version = Integer.parseInt(setting(sql, "server_version_num"));
        add(
                "server",
                version >= OLDEST_SERVER,
                "PostgreSQL " + setting(sql, "server_version"),
                "PostgreSQL 13 is the oldest that is supported");
        var standby = sql.get("check-standby").number(0) == 1;
        add(
                "primary",
                !standby && setting(sql, "default_transaction_read_only").equals("off"),
                standby ? "the server is a standby" : "the server is a primary",
                "it can't be written to: connect to the primary (targetServerType=primary in the URL)");
        var encoding = setting(sql, "server_encoding");
        add("encoding", encoding.equals("UTF8"), "server_encoding is " + encoding, "it must be UTF8 to keep any text");
    }

    private void checkDurability(Statements sql) throws SQLException {
        var synchronous = setting(sql, "synchronous_commit");
        var fsync = setting(sql, "fsync");
        var fullPages = setting(sql, "full_page_writes");
        warn(
                "synchronous_commit",
                !synchronous.equals("off"),
                "synchronous_commit is " + synchronous,
                "the last commits before a crash of the server can be lost: jobs, and that they were done");
        add("fsync", fsync.equals("on"), "fsync is " + fsync, "it must be on, or a crash can damage the database");
        add(
                "full_page_writes",
                fullPages.equals("on"),
                "full_page_writes is " + fullPages,
                "it must be on, or a crash can damage the database");
    }

    private void checkVacuum(Statements sql) throws SQLException {
        var vacuum = setting(sql, "autovacuum");
        add(
                "autovacuum",
                vacuum.equals("on"),
                "autovacuum is " + vacuum,
                "it must be on: the tables of jobs change all the time");
    }

    private void checkHorizon(Statements sql) throws SQLException {
        var seconds = sql.get("check-horizon").number(0);
        warn(
                "old transactions",
                seconds < Duration.ofMinutes(10).toSeconds(),
                "the oldest open transaction has lasted " + seconds + " s",
                "while it is open no dead row can be removed, and all of the database gets slower: find it in"
                        + " pg_stat_activity and end it");
    }

    private void checkClock() {
        try {
            var before = System.currentTimeMillis();
            var server = store.time();
            var after = System.currentTimeMillis();
            var skew = server < before ? server - before : Math.max(0, server - after);
            warn(
                    "clock",
                    Math.abs(skew) <= SKEW_MILLIS,
                    "the server's clock is " + skew + " ms ahead of this host's",
                    "Belay goes by the server's, but times in logs and in the application will not agree with it");
        } catch (BrokerException e) {
            checks.add(new StoreCheck("clock", Result.SKIPPED, "the server can't be asked: " + e.getMessage()));
        }
    }

    private static String setting(Statements sql, String name) throws SQLException {
        var value = sql.get("check-setting").set("name", name).<String>first(row -> row.getString(1));
        return value == null ? "unknown" : value;
    }

    private void add(String name, boolean holds, String found, String otherwise) {
        checks.add(new StoreCheck(name, holds ? Result.OK : Result.FAILED, holds ? found : found + "; " + otherwise));
    }

    private void warn(String name, boolean holds, String found, String otherwise) {
        checks.add(new StoreCheck(name, holds ? Result.OK : Result.WARNING, holds ? found : found + "; " + otherwise));
    }
}
