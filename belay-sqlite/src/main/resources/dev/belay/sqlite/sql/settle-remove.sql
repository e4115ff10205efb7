-- Removes a job that succeeded and is not kept, once its lease is ended.
-- in: seq
-- out: one row changed, or none: then it has a history, and goes the long way
-- locks: the write lock of the transaction around it
-- keeps: nothing of the job is left
DELETE FROM job WHERE seq = :seq AND history_count = 0
