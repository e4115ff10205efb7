-- Whether a queue has a session, ended ones that are not empty yet included.
-- in: queue
-- out: a row where it has
-- locks: none: reads a snapshot
-- keeps: everything
SELECT 1 FROM belay.session WHERE queue = :queue AND stage < 2 LIMIT 1
