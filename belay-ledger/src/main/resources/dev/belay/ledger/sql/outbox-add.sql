-- Writes a job, within the caller's transaction.
-- in: namespace, queue, id, job; offset
-- out: one row, or none where the job is there already
-- locks: the row
-- keeps: others
INSERT INTO belay_outbox (namespace, queue, id, job, added_at)
VALUES (:namespace, :queue, :id, :job, {{now}})
ON CONFLICT (id) DO NOTHING
