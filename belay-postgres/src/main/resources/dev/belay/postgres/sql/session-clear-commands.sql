-- Forgets the commands to a session, and its newest lease call.
-- in: session
-- out: nothing
-- locks: the rows that it changes, until the end of the transaction
-- keeps: everything else
WITH calls AS (
  DELETE FROM belay.session_call WHERE session = :session
)
DELETE FROM belay.session_command WHERE session = :session
