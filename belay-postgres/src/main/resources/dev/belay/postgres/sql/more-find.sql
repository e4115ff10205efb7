-- What only some jobs have.
-- in: job
-- out: no row or one
-- locks: none: reads a snapshot
-- keeps: everything
SELECT {{more-columns}}
FROM belay.more WHERE job = :job
