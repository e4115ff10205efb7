-- Gives back a job that was certainly not sent by this claim, nor by one before.
-- in: position, me; pause: for how long it is left alone; offset
-- out: one row changed, or none where another relay has claimed it since
-- locks: the row
-- keeps: the job
UPDATE belay_outbox
SET claimed_by = NULL, claimed_until = {{now}} + :pause, sending_at = NULL, tries = 0
WHERE position = :position AND claimed_by = :me AND tries = 1
