-- Writes the result of a job that succeeded.
-- in: job, queue, result
-- out: nothing
-- locks: the write lock of the transaction around it
-- keeps: everything else
INSERT INTO more (job, queue, result) VALUES (:job, :queue, :result)
ON CONFLICT (job) DO UPDATE SET result = excluded.result
