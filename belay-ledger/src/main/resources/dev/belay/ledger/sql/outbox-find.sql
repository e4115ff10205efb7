-- The stored form of a job that waits.
-- in: namespace, queue, id
-- out: job, or no row
-- locks: none
-- keeps: everything
SELECT job
FROM belay_outbox
WHERE namespace = :namespace AND queue = :queue AND id = :id
