-- Jobs that stand in line, with their payloads unless those are large.
-- in: seqs: an array
-- out: one row a job, in no order
-- locks: none: reads a snapshot
-- keeps: everything
SELECT {{job-columns}}, payload FROM belay.job WHERE seq = ANY(:seqs::bigint[])
