-- Jobs by number, in flight or not.
-- in: seqs: an array
-- out: one row a job, in no order
-- locks: none: reads a snapshot
-- keeps: everything
SELECT {{job-columns}}, {{flight-columns}}
FROM belay.job LEFT JOIN LATERAL (SELECT * FROM belay.flight WHERE flight.job = seq LIMIT 1) f ON true WHERE seq = ANY(:seqs::bigint[])
