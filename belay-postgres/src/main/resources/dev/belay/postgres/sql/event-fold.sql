-- Sums up the changes of the counts of a queue.
-- in: queue
-- out: how many counts
-- locks: the rows that it changes, until the end of the transaction
-- keeps: the sums
WITH gone AS (
  DELETE FROM belay.event_change WHERE queue = :queue RETURNING slice, type, event, n
)
INSERT INTO belay.event_count (queue, slice, type, event, n)
SELECT :queue, slice, type, event, sum(n)::bigint FROM gone GROUP BY slice, type, event
ON CONFLICT (queue, slice, type, event) DO UPDATE SET n = event_count.n + excluded.n
