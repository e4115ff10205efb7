-- Ends a lease, if it is held.
-- in: job, session, token
-- out: one row changed, or none where it is not held
-- locks: the write lock of the transaction around it
-- keeps: only the holder ends it
DELETE FROM flight WHERE job = :job AND session = :session AND token = :token
