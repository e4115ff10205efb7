-- How many live sessions serve a queue.
-- in: queue
-- out: the number
-- locks: none: reads a snapshot
-- keeps: everything
SELECT count(*) FROM belay.session WHERE queue = :queue AND stage = 0
