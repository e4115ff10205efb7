-- Removes a job's row.
-- in: seq
-- out: one row changed
-- locks: the write lock of the transaction around it
-- keeps: everything else
DELETE FROM job WHERE seq = :seq
