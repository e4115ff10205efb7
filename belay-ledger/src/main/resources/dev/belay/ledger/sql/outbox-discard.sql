-- Removes a job that waited for a person.
-- in: id
-- out: one row removed, or none where it does not wait for a person
-- locks: the row
-- keeps: others
DELETE FROM belay_outbox
WHERE id = :id AND problem IS NOT NULL
