-- Removes what only some jobs have.
-- in: job: an array
-- out: nothing
-- locks: the rows that it changes, until the end of the transaction
-- keeps: other jobs
DELETE FROM belay.more WHERE job = ANY(:job::bigint[])
