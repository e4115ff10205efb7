-- Removes a large payload.
-- in: job: an array
-- out: nothing
-- locks: the rows that it changes, until the end of the transaction
-- keeps: everything else
DELETE FROM belay.payload WHERE job = ANY(:job::bigint[])
