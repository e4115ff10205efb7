-- Locks a job in flight whose lease is held, unless somebody is about to settle it.
-- in: queue, id, session, token
-- out: its number, or no row
-- locks: its row in flight, until the end of the transaction; waits for nobody
-- keeps: everything
SELECT f.job FROM belay.job j JOIN belay.flight f ON f.job = j.seq
WHERE j.queue = :queue AND j.id = :id AND f.session = :session AND f.token = :token FOR UPDATE OF f SKIP LOCKED
