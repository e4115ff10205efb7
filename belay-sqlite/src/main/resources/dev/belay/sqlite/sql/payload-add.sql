-- Keeps a large payload.
-- in: job, bytes
-- out: nothing
-- locks: the write lock of the transaction around it
-- keeps: everything else
INSERT INTO payload (job, bytes) VALUES (:job, :bytes)
