-- Removes a job that succeeded and is not kept, if the lease is held.
-- in: seq, token, session
-- out: one row changed, or none: then the long way decides
-- locks: the write lock of the transaction around it
-- keeps: nothing of the job is left; a job with history goes the long way
DELETE FROM job WHERE seq = :seq AND line = 17 AND at = :session AND token = :token AND history_count = 0
