-- Clears the mark of jobs that are ready or in flight and whose type somebody knows now.
-- in: queue, type, schemaVersion: up to it
-- out: how many
-- locks: the write lock of the transaction around it
-- keeps: jobs of other types
UPDATE job SET unknown_since = NULL
WHERE seq IN (
    SELECT job FROM place WHERE queue = :queue AND line BETWEEN 0 AND 14
    UNION ALL
    SELECT job FROM flight WHERE queue = :queue)
  AND unknown_since IS NOT NULL AND type = :type AND schema_version <= :schemaVersion
