-- Makes jobs due now whose type somebody knows now; their places follow.
-- in: queue, type, schemaVersion: up to it, now
-- out: how many
-- locks: the write lock of the transaction around it
-- keeps: jobs of other types
UPDATE job SET line = 15, at = :now, run_at = :now
WHERE seq IN (SELECT job FROM place WHERE queue = :queue AND line = 16)
  AND type = :type AND schema_version <= :schemaVersion
