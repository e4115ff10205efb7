-- How much a session holds.
-- in: queue, session
-- out: the number
-- locks: none: reads a snapshot
-- keeps: everything
SELECT count(*) FROM belay.flight WHERE queue = :queue AND session = :session
