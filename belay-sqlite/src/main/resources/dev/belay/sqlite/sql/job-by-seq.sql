-- A job by number.
-- in: seq
-- out: no row or one
-- locks: none: reads a snapshot
-- keeps: everything
SELECT {{job-columns}}
FROM job WHERE seq = :seq
