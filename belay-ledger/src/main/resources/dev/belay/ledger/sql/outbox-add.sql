-- Writes a job, within the caller's transaction.
-- in: namespace, queue, id, job, ownWindow; offset
-- out: one row, or none where the job is there already
-- locks: the row
-- keeps: others
INSERT INTO belay_outbox (namespace, queue, id, job, added_at, own_window)
VALUES (:namespace, :queue, :id, :job, {{now}}, :ownWindow)
ON CONFLICT (namespace, queue, id) DO NOTHING
