-- Whether a queue has a job.
-- in: queue
-- out: a row where it has
-- locks: none: reads a snapshot
-- keeps: everything
SELECT 1 FROM belay.job WHERE queue = :queue LIMIT 1
