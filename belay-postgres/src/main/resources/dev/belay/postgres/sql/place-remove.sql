-- Takes the place of a job.
-- in: queue, line, at, job
-- out: one row changed, or none
-- locks: the rows that it changes, until the end of the transaction
-- keeps: the places of others
DELETE FROM belay.place WHERE queue = :queue AND line = :line AND at = :at AND job = :job
