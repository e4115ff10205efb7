-- Sums up the changes to the counts of a queue.
-- in: queue
-- out: one row changed
-- locks: the rows that it changes, until the end of the transaction
-- keeps: the sums
WITH gone AS (
  DELETE FROM belay.queue_change WHERE queue = :queue
  RETURNING scheduled, ready, running, succeeded, dead, cancelled, dead_bytes
), total AS (
  SELECT sum(scheduled) scheduled, sum(ready) ready, sum(running) running, sum(succeeded) succeeded, sum(dead) dead,
    sum(cancelled) cancelled, sum(dead_bytes) dead_bytes, count(*) n
  FROM gone
)
UPDATE belay.queue q SET scheduled = q.scheduled + t.scheduled, ready = q.ready + t.ready, running = q.running + t.running,
  succeeded = q.succeeded + t.succeeded, dead = q.dead + t.dead, cancelled = q.cancelled + t.cancelled,
  dead_bytes = q.dead_bytes + t.dead_bytes
FROM total t WHERE q.id = :queue AND t.n > 0
