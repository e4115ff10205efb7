-- Takes the place of a job.
-- in: queue, line, at, job
-- out: one row changed, or none
-- locks: the write lock of the transaction around it
-- keeps: the places of others
DELETE FROM place WHERE queue = :queue AND line = :line AND at = :at AND job = :job
