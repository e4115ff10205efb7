package dev.belay.redis;

import dev.belay.broker.BrokerException;
import dev.belay.broker.StoreCheck;
import dev.belay.broker.StoreCheck.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What must hold of the server for the guarantees to hold. */
final class StoreChecks {

    private final RedisStore store;
    private final StoreVersion version;

    StoreChecks(RedisStore store) {
        this.store = store;
        this.version = new StoreVersion(store);
    }

    List<StoreCheck> run() {
        var checks = new ArrayList<StoreCheck>();
        checks.add(role());
        checks.add(eviction());
        checks.add(persistence());
        checks.add(clock());
        checks.add(version.check());
        return List.copyOf(checks);
    }

    /** A server that evicts would lose accepted jobs; a replica can't take any; a program may be too old for the keys. */
    void requireAtStart() {
        require(role());
        require(eviction());
        version.writeIfNone();
        require(version.check());
    }

    private void require(StoreCheck check) {
        if (check.result() == Result.FAILED) {
            throw new BrokerException.Rejected(store.link.name() + " can't be used: " + check.detail(), null);
        }
    }

    private StoreCheck role() {
        try {
            List<Object> role = store.call(commands -> commands.role());
            var name = Replies.text(role.get(0));
            return name.equals("master")
                    ? new StoreCheck("role", Result.OK, "the server takes writes")
                    : new StoreCheck("role", Result.FAILED, "it is a " + name + ": connect to the primary");
        } catch (BrokerException.NotApplied e) {
            return skipped("role", e);
        }
    }

    private StoreCheck eviction() {
        try {
            var policy = setting("maxmemory-policy");
            return policy == null || policy.equals("noeviction")
                    ? new StoreCheck("eviction", Result.OK, "maxmemory-policy is noeviction")
                    : new StoreCheck(
                            "eviction",
                            Result.FAILED,
                            "maxmemory-policy is " + policy
                                    + ", so it would throw jobs away when it is full: set it to noeviction");
        } catch (BrokerException.NotApplied e) {
            return skipped("eviction", e);
        }
    }

    private StoreCheck persistence() {
        try {
            var append = setting("appendonly");
            var save = setting("save");
            if ("yes".equals(append)) {
                return new StoreCheck("persistence", Result.OK, "appendonly, appendfsync " + setting("appendfsync"));
            }
            return save == null || save.isEmpty()
                    ? new StoreCheck(
                            "persistence",
                            Result.WARNING,
                            "off: a restart of the server loses every job; set appendonly yes")
                    : new StoreCheck(
                            "persistence",
                            Result.WARNING,
                            "snapshots only (save " + save
                                    + "): a crash loses what came since the last; set appendonly yes");
        } catch (BrokerException.NotApplied e) {
            return skipped("persistence", e);
        }
    }

    private StoreCheck clock() {
        var skew = store.time() - System.currentTimeMillis();
        return Math.abs(skew) <= 5_000
                ? new StoreCheck("clock", Result.OK, "differs from the server's by " + skew + " ms")
                : new StoreCheck(
                        "clock",
                        Result.WARNING,
                        "differs from the server's by " + skew
                                + " ms: nothing depends on it, but times in logs will not match");
    }

    private @Nullable String setting(String name) {
        Map<String, String> found = store.call(commands -> commands.configGet(name));
        return found.get(name);
    }

    private static StoreCheck skipped(String name, BrokerException e) {
        return new StoreCheck(name, Result.SKIPPED, "the server does not allow it: " + e.getMessage());
    }
}
