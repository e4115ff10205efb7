-- Forgets the types of a session.
-- in: session
-- out: nothing
-- locks: the rows that it changes, until the end of the transaction
-- keeps: everything else
DELETE FROM belay.session_type WHERE session = :session
