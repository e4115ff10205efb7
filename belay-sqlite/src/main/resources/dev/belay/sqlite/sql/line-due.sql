-- The jobs of a line of scheduled jobs that are due, in order.
-- in: queue, line, now, limit
-- out: one row a job
-- locks: none: reads a snapshot
-- keeps: everything
SELECT {{job-columns}}
FROM job INDEXED BY job_line WHERE queue = :queue AND line = :line AND at <= :now ORDER BY at, seq LIMIT :limit
