-- Removes what only some jobs have.
-- in: job
-- out: one row changed, or none
-- locks: the rows that it changes, until the end of the transaction
-- keeps: other jobs
DELETE FROM belay.more WHERE job = :job
