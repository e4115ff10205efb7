-- Writes what a look found: the cut deadline and the mark.
-- in: session, deadline, markedAt (or null)
-- out: nothing
-- locks: the rows that it changes, until the end of the transaction
-- keeps: only a live session is marked
UPDATE belay.session SET deadline = :deadline, marked_at = :markedAt WHERE no = :session AND stage = 0
