-- Writes the result of a job that succeeded.
-- in: seq, result
-- out: one row changed
-- locks: the write lock of the transaction around it
-- keeps: everything else
UPDATE job SET result = :result WHERE seq = :seq
