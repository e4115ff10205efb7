package dev.belay.sqlite;

import dev.belay.broker.StoreCheck;
import dev.belay.broker.StoreCheck.Result;
import dev.belay.jdbc.Statements;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What must hold of the file for the guarantees to hold. */
final class StoreChecks {

    /** File systems whose locks or shared memory SQLite can't rely on. */
    private static final Set<String> REMOTE = Set.of(
            "nfs",
            "nfs4",
            "cifs",
            "smb",
            "smb2",
            "smb3",
            "smbfs",
            "afs",
            "ceph",
            "glusterfs",
            "9p",
            "fuse.sshfs",
            "fuse.glusterfs",
            "webdav",
            "davfs");

    private static final long LITTLE_BYTES = 512L * 1024 * 1024;
    private static final long SKEW_MILLIS = 60_000;
    /** What {@code PRAGMA synchronous} answers for FULL. */
    private static final int FULL = 2;

    private final SqliteStore store;
    private final List<StoreCheck> checks = new ArrayList<>();

    StoreChecks(SqliteStore store) {
        this.store = store;
    }

    List<StoreCheck> run() {
        checkWriter();
        checkDisk();
        store.read(sql -> {
            checkVersion(sql);
            checkIntegrity(sql);
            checkClock(sql);
            return true;
        });
        return List.copyOf(checks);
    }

    private void checkWriter() {
        store.write(tx -> {
            var mode = tx.sql.get("check-journal").first(row -> row.getString(1));
            add(
                    "journal",
                    "wal".equalsIgnoreCase(mode),
                    "journal_mode is " + mode,
                    "it must be WAL: is the file on a file system without shared memory?");
            var synchronous = tx.sql.get("check-synchronous").number(-1);
            add(
                    "synchronous",
                    synchronous >= FULL,
                    "synchronous is " + synchronous,
                    "it must be 2 (FULL), or commits can be lost in a power failure");
            return true;
        });
    }

    private void checkDisk() {
        try {
            var disk = Files.getFileStore(store.file().path());
            var remote = REMOTE.contains(disk.type());
            checks.add(new StoreCheck(
                    "file system",
                    remote ? Result.WARNING : Result.OK,
                    "the file is on " + disk.type()
                            + (remote
                                    ? ": locks over a network are not reliable, move it to a local disk"
                                    : ", " + disk)));
            checkSpace(disk);
        } catch (IOException e) {
            checks.add(new StoreCheck("file system", Result.SKIPPED, "it can't be asked about: " + e.getMessage()));
        }
    }

    private void checkSpace(FileStore disk) throws IOException {
        var free = disk.getUsableSpace();
        var little = free < LITTLE_BYTES;
        checks.add(new StoreCheck(
                "free space",
                little ? Result.WARNING : Result.OK,
                free / (1024 * 1024) + " MiB are free" + (little ? ": enqueues fail when the disk is full" : "")));
    }

    private void checkVersion(Statements sql) throws SQLException {
        var versions = SqliteStore.MIGRATIONS.read(sql.connection());
        add(
                "schema version",
                !SqliteStore.MIGRATIONS.isTooOldFor(versions),
                "the store is of version " + versions.version() + ", this program knows "
                        + SqliteStore.MIGRATIONS.newest(),
                "the store needs a program that knows version " + versions.oldestCompatible() + ": use a newer Belay");
    }

    private void checkIntegrity(Statements sql) {
        try {
            var found = sql.get("check-integrity").first(row -> row.getString(1));
            add(
                    "integrity",
                    "ok".equals(found),
                    "quick_check says " + found,
                    "stop all workers, keep a copy of the file, and restore a backup or use the sqlite3 shell's .recover");
        } catch (SQLException e) {
            checks.add(new StoreCheck("integrity", Result.FAILED, "quick_check failed: " + e.getMessage()));
        }
    }

    private void checkClock(Statements sql) throws SQLException {
        var now = store.namespace().clock().millis();
        var newest = sql.get("check-newest").number(0);
        add(
                "clock",
                newest <= now + SKEW_MILLIS,
                "the broker's clock says " + Instant.ofEpochMilli(now),
                "but the store has entries of " + Instant.ofEpochMilli(newest)
                        + ": was the host's clock set back, or do processes with different clocks share the file?");
    }

    private void add(String name, boolean holds, String found, String otherwise) {
        checks.add(new StoreCheck(name, holds ? Result.OK : Result.FAILED, holds ? found : found + "; " + otherwise));
    }
}
