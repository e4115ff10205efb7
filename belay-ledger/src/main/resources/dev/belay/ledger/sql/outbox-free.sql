-- Gives back a job that could not be moved now.
-- in: position, me
-- out: one row changed, or none where another relay has claimed it since
-- locks: the row
-- keeps: that it may have been sent
UPDATE belay_outbox
SET claimed_by = NULL, claimed_until = NULL
WHERE position = :position AND claimed_by = :me
