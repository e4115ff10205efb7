-- Notes the newest lease call, in place of the one before.
-- in: session, number
-- out: nothing
-- locks: the rows that it changes, until the end of the transaction
-- keeps: one call a session, the newest, as the caller holds the lock on the session; numbers grow
WITH before AS (
  DELETE FROM belay.session_call WHERE session = :session AND number = (
    SELECT number FROM belay.session_call WHERE session = :session ORDER BY number DESC LIMIT 1)
)
INSERT INTO belay.session_call (session, number) VALUES (:session, :number)
