-- Notes that a job has a row in the table more.
-- in: seq
-- out: one row changed, or none
-- locks: the write lock of the transaction around it
-- keeps: everything else
UPDATE job SET more = 1 WHERE seq = :seq AND more = 0
