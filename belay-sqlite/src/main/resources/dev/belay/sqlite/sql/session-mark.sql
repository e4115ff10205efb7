-- Writes what a look found: the cut deadline and the mark.
-- in: session, deadline, markedAt (or null)
-- out: nothing
-- locks: the write lock of the transaction around it
-- keeps: only a live session is marked
UPDATE session SET deadline = :deadline, marked_at = :markedAt WHERE no = :session AND stage = 0
