-- Moves a deadline and clears the mark.
-- in: session, deadline
-- out: nothing
-- locks: the rows that it changes, until the end of the transaction
-- keeps: only a live session is extended
UPDATE belay.session SET deadline = :deadline, marked_at = NULL WHERE no = :session AND stage = 0
