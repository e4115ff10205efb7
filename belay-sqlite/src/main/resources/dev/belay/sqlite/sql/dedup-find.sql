-- Who holds a key.
-- in: queue, type, key
-- out: holder, fingerprint, since, orphan
-- locks: none: reads a snapshot
-- keeps: everything
SELECT holder, fingerprint, since, orphan FROM dedup WHERE queue = :queue AND type = :type AND key = :key
