-- Takes back that a queue is known: something is noted of it, but nobody uses it.
-- in: queue
-- out: nothing
-- locks: the write lock of the transaction around it
-- keeps: everything else of it
UPDATE queue SET known = 0 WHERE id = :queue
