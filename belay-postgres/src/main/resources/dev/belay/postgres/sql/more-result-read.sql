-- The result of a job.
-- in: job
-- out: no row or one
-- locks: none: reads a snapshot
-- keeps: everything
SELECT result FROM belay.more WHERE job = :job
