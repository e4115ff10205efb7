-- Who holds a key.
-- in: queue, type, key
-- out: holder, fingerprint, since, orphan, its own window, whether it counts only while its holder waits
-- locks: none: reads a snapshot
-- keeps: everything
SELECT holder, fingerprint, since, orphan, own_window, only_waiting FROM belay.dedup
WHERE queue = :queue AND type = :type AND key = :key
