-- Takes a job out of flight, whoever holds it.
-- in: job
-- out: one row changed
-- locks: the rows that it changes, until the end of the transaction
-- keeps: other jobs
DELETE FROM belay.flight WHERE job = :job
