-- What a session holds.
-- in: queue, session, limit
-- out: one row a job, in order of leasing
-- locks: none: reads a snapshot
-- keeps: everything
SELECT {{job-columns}}
FROM job INDEXED BY job_line WHERE queue = :queue AND line = 17 AND at = :session ORDER BY token LIMIT :limit
