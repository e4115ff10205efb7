-- Keeps a large payload.
-- in: job, bytes
-- out: nothing
-- locks: the rows that it changes, until the end of the transaction
-- keeps: everything else
INSERT INTO belay.payload (job, bytes) VALUES (:job, :bytes)
