-- Notes that a job has a row in the table more.
-- in: seq
-- out: one row changed, or none
-- locks: the rows that it changes, until the end of the transaction
-- keeps: everything else
UPDATE belay.job SET more = 1 WHERE seq = :seq AND more = 0
