-- Frees a key, if this job holds it. One that is just being taken over is left alone.
-- in: queue, type, key, holder
-- out: how many
-- locks: the row; waits for nobody
-- keeps: the keys of others
DELETE FROM belay.dedup WHERE (queue, type, key) IN (
  SELECT queue, type, key FROM belay.dedup
  WHERE queue = :queue AND type = :type AND key = :key AND holder = :holder AND orphan = 0 FOR UPDATE SKIP LOCKED)
