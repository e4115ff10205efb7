-- Clears the mark of jobs in other lines whose type somebody knows now.
-- in: queue, type, schemaVersion: up to it
-- out: how many
-- locks: the write lock of the transaction around it
-- keeps: jobs of other types
UPDATE job INDEXED BY job_line SET unknown_since = NULL
WHERE queue = :queue AND line IN (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 17)
  AND unknown_since IS NOT NULL AND type = :type AND schema_version <= :schemaVersion
