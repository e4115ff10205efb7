-- A job by number, in flight or not.
-- in: seq
-- out: no row or one
-- locks: none: reads a snapshot
-- keeps: everything
SELECT {{job-columns}}, {{flight-columns}}
FROM belay.job LEFT JOIN LATERAL (SELECT * FROM belay.flight WHERE flight.job = seq LIMIT 1) f ON true WHERE seq = :seq
