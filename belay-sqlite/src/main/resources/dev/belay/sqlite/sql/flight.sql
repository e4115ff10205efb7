-- What a session holds.
-- in: queue, session, limit
-- out: one row a job, in order of leasing
-- locks: none: reads a snapshot
-- keeps: everything
SELECT {{job-columns}}, {{flight-columns}}
FROM flight f CROSS JOIN job ON seq = f.job
WHERE f.queue = :queue AND f.session = :session ORDER BY f.token LIMIT :limit
