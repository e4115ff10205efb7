-- Stores the progress of a lease that is held.
-- in: job, queue, progress
-- out: nothing
-- locks: the rows that it changes, until the end of the transaction
-- keeps: everything else: the caller has seen that the lease is held
INSERT INTO belay.more (job, queue, progress) VALUES (:job, :queue, :progress)
ON CONFLICT (job) DO UPDATE SET progress = excluded.progress
