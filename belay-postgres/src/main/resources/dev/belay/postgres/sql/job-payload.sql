-- The payload of a job, wherever it is.
-- in: seq
-- out: no row or one
-- locks: none: reads a snapshot
-- keeps: everything
SELECT coalesce(j.payload, p.bytes) FROM belay.job j LEFT JOIN belay.payload p ON p.job = j.seq WHERE j.seq = :seq
