-- Locks the place of a job that waits or is final: from now on nobody else changes the job.
-- in: queue, line, at, job
-- out: a row where the place is there
-- locks: the place, until the end of the transaction
-- keeps: everything
SELECT 1 FROM belay.place WHERE queue = :queue AND line = :line AND at = :at AND job = :job FOR UPDATE
