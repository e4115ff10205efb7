-- The result of a job.
-- in: seq
-- out: no row or one
-- locks: none: reads a snapshot
-- keeps: everything
SELECT result FROM job WHERE seq = :seq
