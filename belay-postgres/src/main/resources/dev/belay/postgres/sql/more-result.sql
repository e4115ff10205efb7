-- Writes the result of a job that succeeded.
-- in: job, queue, result
-- out: nothing
-- locks: the rows that it changes, until the end of the transaction
-- keeps: everything else
INSERT INTO belay.more (job, queue, result) VALUES (:job, :queue, :result)
ON CONFLICT (job) DO UPDATE SET result = excluded.result
