-- Forgets the types of a session.
-- in: session
-- out: nothing
-- locks: the write lock of the transaction around it
-- keeps: everything else
DELETE FROM session_type WHERE session = :session
