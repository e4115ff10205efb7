-- A job by number, in flight or not.
-- in: seq
-- out: no row or one
-- locks: none: reads a snapshot
-- keeps: everything
SELECT {{job-columns}}, {{flight-columns}}
FROM belay.job LEFT JOIN belay.flight f ON f.job = seq WHERE seq = :seq
