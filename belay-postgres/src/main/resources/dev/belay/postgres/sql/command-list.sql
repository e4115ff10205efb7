-- The commands of a session, in order.
-- in: session
-- out: number, kind, job, token
-- locks: none: reads a snapshot
-- keeps: everything
SELECT number, kind, job, token FROM belay.session_command WHERE session = :session ORDER BY number
