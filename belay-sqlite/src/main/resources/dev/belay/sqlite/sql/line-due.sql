-- The first jobs of a line, up to a time, in order.
-- in: queue, line, now, limit
-- out: one row a job
-- locks: none: reads a snapshot
-- keeps: everything
SELECT {{job-columns}}
FROM place p CROSS JOIN job ON seq = p.job
WHERE p.queue = :queue AND p.line = :line AND p.at <= :now ORDER BY p.at, p.job LIMIT :limit
