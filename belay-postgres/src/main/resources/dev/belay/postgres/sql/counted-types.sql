-- The types of a queue that are counted by name.
-- in: queue
-- out: one row a type
-- locks: none: reads a snapshot
-- keeps: everything
SELECT type FROM belay.counted_type WHERE queue = :queue
