-- Leaves a key to its window, as its job is gone. One that is just being taken over is left alone.
-- in: queue, type, key, holder
-- out: how many
-- locks: the row; waits for nobody
-- keeps: the keys of others
UPDATE belay.dedup SET orphan = CASE WHEN own_window IS NULL THEN 1 ELSE 2 END
WHERE (queue, type, key) IN (
  SELECT queue, type, key FROM belay.dedup
  WHERE queue = :queue AND type = :type AND key = :key AND holder = :holder FOR UPDATE SKIP LOCKED)
