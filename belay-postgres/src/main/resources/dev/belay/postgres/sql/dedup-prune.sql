-- Removes keys that nothing keeps any more.
-- in: queue, before, limit
-- out: how many
-- locks: the rows that it changes, until the end of the transaction
-- keeps: keys of jobs, and keys in their window
DELETE FROM belay.dedup WHERE (queue, type, key) IN (
  SELECT queue, type, key FROM belay.dedup
  WHERE queue = :queue AND orphan = 1 AND since <= :before LIMIT :limit FOR UPDATE SKIP LOCKED)
