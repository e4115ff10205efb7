-- Leaves a job to a person.
-- in: position, me, problem
-- out: one row changed, or none where another relay has claimed it since
-- locks: the row
-- keeps: the job
UPDATE belay_outbox
SET problem = :problem, claimed_by = NULL, claimed_until = NULL
WHERE position = :position AND claimed_by = :me
