-- What a session holds, as ids and tokens, in order of leasing.
-- in: queue, session
-- out: id, token
-- locks: none: reads a snapshot
-- keeps: everything
SELECT id, f.token FROM belay.flight f JOIN belay.job ON seq = f.job WHERE f.queue = :queue AND f.session = :session ORDER BY f.token
