-- Removes a job's row.
-- in: seq
-- out: one row changed
-- locks: the rows that it changes, until the end of the transaction
-- keeps: everything else
DELETE FROM belay.job WHERE seq = :seq
