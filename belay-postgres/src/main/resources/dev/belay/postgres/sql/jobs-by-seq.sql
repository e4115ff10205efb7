-- Jobs by number, in flight or not.
-- in: seqs: an array
-- out: one row a job, in no order
-- locks: none: reads a snapshot
-- keeps: everything
SELECT {{job-columns}}, {{flight-columns}}
FROM belay.job LEFT JOIN belay.flight f ON f.job = seq WHERE seq = ANY(:seqs::bigint[])
