-- Removes the history of a job.
-- in: job
-- out: how many
-- locks: the rows that it changes, until the end of the transaction
-- keeps: everything else
DELETE FROM belay.history WHERE job = :job
