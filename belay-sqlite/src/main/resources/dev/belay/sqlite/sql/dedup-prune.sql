-- Removes keys that nothing keeps any more.
-- in: queue, before, limit
-- out: how many
-- locks: the write lock of the transaction around it
-- keeps: keys of jobs, and keys in their window
DELETE FROM dedup WHERE (queue, type, key) IN (
  SELECT queue, type, key FROM dedup INDEXED BY dedup_orphan
  WHERE queue = :queue AND orphan = 1 AND since <= :before LIMIT :limit)
