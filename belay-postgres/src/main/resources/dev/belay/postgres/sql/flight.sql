-- Locks what a session holds.
-- in: queue, session, limit
-- out: one row a job, its number, in order of leasing
-- locks: the rows in flight, until the end of the transaction; waits for others
-- keeps: everything
SELECT job FROM belay.flight WHERE queue = :queue AND session = :session ORDER BY token LIMIT :limit FOR UPDATE
