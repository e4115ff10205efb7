-- Adds a transaction's changes to the counts of a queue, once a transaction.
-- in: queue; its newest token; the changes
-- out: nothing
-- locks: the write lock of the transaction around it
-- keeps: counts equal to the jobs in each state; a token that never falls
UPDATE queue SET token = max(token, :token), scheduled = scheduled + :scheduled, ready = ready + :ready,
  running = running + :running, succeeded = succeeded + :succeeded, dead = dead + :dead,
  cancelled = cancelled + :cancelled, dead_bytes = dead_bytes + :deadBytes, wake = wake + :wake
WHERE id = :queue
