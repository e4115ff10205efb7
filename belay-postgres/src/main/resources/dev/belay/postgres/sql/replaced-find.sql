-- Which job took the place of another.
-- in: queue, id
-- out: its id
-- locks: none: reads a snapshot
-- keeps: everything
SELECT successor FROM belay.replaced WHERE queue = :queue AND id = :id
