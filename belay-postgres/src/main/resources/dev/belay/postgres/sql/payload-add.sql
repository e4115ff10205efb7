-- Keeps a large payload.
-- in: arrays of job, bytes
-- out: nothing
-- locks: the rows that it changes, until the end of the transaction
-- keeps: everything else
INSERT INTO belay.payload (job, bytes) SELECT * FROM unnest(:job::bigint[], :bytes::bytea[])
