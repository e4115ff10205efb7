-- Ends a session (1), or forgets all but its id (2).
-- in: session, stage
-- out: nothing
-- locks: the write lock of the transaction around it
-- keeps: no way back
UPDATE session SET stage = :stage WHERE no = :session AND stage < :stage
