-- Gives back a job that could not be moved now.
-- in: position, me; pause: for how long it is left alone; offset
-- out: one row changed, or none where another relay has claimed it since
-- locks: the row
-- keeps: that it may have been sent
UPDATE belay_outbox
SET claimed_by = NULL, claimed_until = {{now}} + :pause
WHERE position = :position AND claimed_by = :me
