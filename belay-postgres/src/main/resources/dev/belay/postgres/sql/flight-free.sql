-- Locks what a session holds and nobody else is about to settle.
-- in: queue, session, limit
-- out: one row a job, its number, in order of leasing
-- locks: the rows in flight, until the end of the transaction; waits for nobody
-- keeps: everything
SELECT job FROM belay.flight WHERE queue = :queue AND session = :session ORDER BY token LIMIT :limit FOR UPDATE SKIP LOCKED
