-- Removes the row of a job that succeeded and is not kept, once its lease is ended.
-- in: seq, more: whether it had a row there when it was leased
-- out: one row changed, or none: then it got one since, and goes the long way
-- locks: the rows that it changes, until the end of the transaction
-- keeps: the rest of the job, which the caller removes
DELETE FROM belay.job WHERE seq = :seq AND more = :more
