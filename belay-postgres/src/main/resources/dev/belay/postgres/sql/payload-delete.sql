-- Removes a large payload.
-- in: job
-- out: one row changed, or none
-- locks: the rows that it changes, until the end of the transaction
-- keeps: everything else
DELETE FROM belay.payload WHERE job = :job
