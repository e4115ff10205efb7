-- Removes the row of a job that succeeded and is not kept, once its lease is ended.
-- in: seq, more: whether it had a row there when it was leased
-- out: one row changed, or none: then it got one since, and goes the long way
-- locks: the write lock of the transaction around it
-- keeps: the rest of the job, which the caller removes
DELETE FROM job WHERE seq = :seq AND more = :more
