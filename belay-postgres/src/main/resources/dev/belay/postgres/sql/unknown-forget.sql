-- Forgets the time of types of which no job is left that a worker refused and that is not final.
-- in: queue
-- out: how many
-- locks: the rows that it changes, until the end of the transaction
-- keeps: the others
DELETE FROM belay.unknown_type
WHERE queue = :queue
  AND NOT EXISTS (
    SELECT 1 FROM belay.more m JOIN belay.job j ON j.seq = m.job
    WHERE m.queue = unknown_type.queue AND m.unknown_since IS NOT NULL AND m.reason IS NULL
      AND j.type = unknown_type.type AND j.schema_version = unknown_type.schema_version)
