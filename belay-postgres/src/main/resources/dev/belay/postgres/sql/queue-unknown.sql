-- Takes back that a queue is known: something is noted of it, but nobody uses it.
-- in: queue
-- out: nothing
-- locks: the rows that it changes, until the end of the transaction
-- keeps: everything else of it
UPDATE belay.queue SET known = 0 WHERE id = :queue
