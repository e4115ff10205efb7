-- How much a session holds.
-- in: queue, session
-- out: the number
-- locks: none: reads a snapshot
-- keeps: everything
SELECT count(*) FROM job INDEXED BY job_line WHERE queue = :queue AND line = 17 AND at = :session
