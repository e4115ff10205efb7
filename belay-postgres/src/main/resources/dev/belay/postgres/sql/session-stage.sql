-- Ends a session (1), or forgets all but its id (2).
-- in: session, stage
-- out: nothing
-- locks: the rows that it changes, until the end of the transaction
-- keeps: no way back
UPDATE belay.session SET stage = :stage WHERE no = :session AND stage < :stage
