-- Leases a job.
-- in: seq, token, session, now
-- out: one row changed
-- locks: the write lock of the transaction around it
-- keeps: a job stands in one line; tokens grow
UPDATE job SET line = 17, at = :session, token = :token, leased_at = :now, begun_at = NULL, deliveries = deliveries + 1
WHERE seq = :seq
