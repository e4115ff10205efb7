-- Ends a lease, if it is held.
-- in: job, session, token
-- out: one row changed, or none where it is not held
-- locks: the rows that it changes, until the end of the transaction
-- keeps: only the holder ends it
DELETE FROM belay.flight WHERE job = :job AND session = :session AND token = :token
