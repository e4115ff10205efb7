-- What only some jobs have, of several.
-- in: seqs: an array
-- out: one row a job that has such; its number comes last
-- locks: none: reads a snapshot
-- keeps: everything
SELECT {{more-columns}}, job
FROM belay.more WHERE job = ANY(:seqs::bigint[])
