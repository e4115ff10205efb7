-- Clears the mark of jobs whose type somebody knows now.
-- in: queue, type, schemaVersion: up to it
-- out: how many
-- locks: the rows that it changes, until the end of the transaction
-- keeps: jobs of other types
UPDATE belay.more SET unknown_since = NULL
WHERE unknown_since IS NOT NULL AND reason IS NULL AND queue = :queue
  AND EXISTS (
    SELECT 1 FROM belay.job
    WHERE seq = more.job AND line < 20 AND type = :type AND schema_version <= :schemaVersion)
