-- How large the history of a job is.
-- in: job
-- out: the sum of the sizes
-- locks: none: reads a snapshot
-- keeps: everything
SELECT sum(size) FROM belay.history WHERE job = :job
