-- A cell that is there.
-- in: namespace, key, now
-- out: key, version, value
-- locks: none: reads a snapshot
-- keeps: everything
SELECT key, version, value FROM belay.cell WHERE namespace = :namespace AND key = :key AND (until IS NULL OR until > :now)
