-- Stores the progress of a lease that is held.
-- in: queue, id, token, session, progress
-- out: one row changed, or none where the lease is lost
-- locks: the write lock of the transaction around it
-- keeps: only the holder writes
UPDATE job INDEXED BY job_id SET progress = :progress
WHERE queue = :queue AND id = :id
  AND EXISTS (SELECT 1 FROM flight f WHERE f.job = job.seq AND f.session = :session AND f.token = :token)
