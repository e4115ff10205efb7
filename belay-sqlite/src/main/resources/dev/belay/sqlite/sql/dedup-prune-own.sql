-- Removes keys whose jobs are gone and whose own windows are over.
-- in: queue, before, limit
-- out: how many
-- locks: the write lock of the transaction around it
-- keeps: keys of jobs, and keys in their window
DELETE FROM dedup WHERE (queue, type, key) IN (
  SELECT queue, type, key FROM dedup INDEXED BY dedup_orphan_own
  WHERE queue = :queue AND orphan = 2 AND since + own_window <= :before LIMIT :limit)
