-- Removes the history of a job.
-- in: job
-- out: how many
-- locks: the write lock of the transaction around it
-- keeps: everything else
DELETE FROM history WHERE job = :job
