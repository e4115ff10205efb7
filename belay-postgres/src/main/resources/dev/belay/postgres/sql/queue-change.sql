-- Notes a transaction's changes to the counts of a queue, once a transaction.
-- in: queue; the changes; token and wake, which are kept elsewhere
-- out: nothing
-- locks: none
-- keeps: the row of the queue is not touched: the pruner sums the changes up
INSERT INTO belay.queue_change (queue, scheduled, ready, running, succeeded, dead, cancelled, dead_bytes)
SELECT :queue, c.* FROM (SELECT :scheduled::bigint, :ready::bigint, :running::bigint, :succeeded::bigint, :dead::bigint,
  :cancelled::bigint, :deadBytes::bigint) c (scheduled, ready, running, succeeded, dead, cancelled, dead_bytes)
WHERE (scheduled, ready, running, succeeded, dead, cancelled, dead_bytes) <> (0, 0, 0, 0, 0, 0, 0)
  AND :token::bigint >= 0 AND :wake::bigint >= 0
