-- Lets a job be sent again that waited for a person.
-- in: id
-- out: one row changed, or none where it does not wait for a person
-- locks: the row
-- keeps: the job, and its place
UPDATE belay_outbox
SET problem = NULL, sending_at = NULL, tries = 0
WHERE id = :id AND problem IS NOT NULL
