-- Removes what only some jobs have.
-- in: job
-- out: one row changed, or none
-- locks: the write lock of the transaction around it
-- keeps: other jobs
DELETE FROM more WHERE job = :job
