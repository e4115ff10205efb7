-- The version of a cell that is there.
-- in: namespace, key, now
-- out: the version
-- locks: none: reads a snapshot
-- keeps: everything
SELECT version FROM belay.cell WHERE namespace = :namespace AND key = :key AND (until IS NULL OR until > :now)
