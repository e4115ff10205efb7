-- Removes a job that the broker has.
-- in: position, me
-- out: one row removed, or none where another relay has claimed it since
-- locks: the row
-- keeps: others
DELETE FROM belay_outbox
WHERE position = :position AND claimed_by = :me
