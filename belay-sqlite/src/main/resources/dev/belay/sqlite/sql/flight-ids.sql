-- What a session holds, as ids and tokens, in order of leasing.
-- in: queue, session
-- out: id, token
-- locks: none: reads a snapshot
-- keeps: everything
SELECT id, token FROM job INDEXED BY job_line WHERE queue = :queue AND line = 17 AND at = :session ORDER BY token
