-- Locks the first jobs of a line, up to a time, in order.
-- in: queue, line, now, limit
-- out: one row a job, its number
-- locks: the places, until the end of the transaction; leaves out what others have locked
-- keeps: everything
SELECT job FROM belay.place
WHERE queue = :queue AND line = :line AND at <= :now ORDER BY at, job LIMIT :limit FOR UPDATE SKIP LOCKED
