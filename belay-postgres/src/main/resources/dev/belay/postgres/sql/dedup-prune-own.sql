-- Removes keys whose jobs are gone and whose own windows are over.
-- in: queue, before, limit
-- out: how many
-- locks: the rows that it changes, until the end of the transaction
-- keeps: keys of jobs, and keys in their window
DELETE FROM belay.dedup WHERE (queue, type, key) IN (
  SELECT queue, type, key FROM belay.dedup
  WHERE queue = :queue AND orphan = 2 AND since + own_window <= :before LIMIT :limit FOR UPDATE SKIP LOCKED)
