-- Moves a deadline and clears the mark.
-- in: session, deadline
-- out: nothing
-- locks: the write lock of the transaction around it
-- keeps: only a live session is extended
UPDATE session SET deadline = :deadline, marked_at = NULL WHERE no = :session AND stage = 0
