-- Moves the deadline of a session. It never makes one.
-- in: id, life; offset
-- out: one row changed, or none where it was ended
-- locks: the row
-- keeps: its name
UPDATE belay_ledger_session
SET deadline = {{now}} + :life, marked_at = NULL, looked_at = NULL
WHERE id = :id
