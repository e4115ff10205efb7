-- Takes a job out of flight, whoever holds it.
-- in: job
-- out: one row changed
-- locks: the write lock of the transaction around it
-- keeps: other jobs
DELETE FROM flight WHERE job = :job
