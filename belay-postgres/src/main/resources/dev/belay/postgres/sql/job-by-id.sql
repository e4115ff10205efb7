-- A job by id, in flight or not.
-- in: queue, id
-- out: no row or one
-- locks: none: reads a snapshot
-- keeps: everything
SELECT {{job-columns}}, {{flight-columns}}
FROM belay.job LEFT JOIN LATERAL (SELECT * FROM belay.flight WHERE flight.job = seq LIMIT 1) f ON true WHERE job.queue = :queue AND id = :id
