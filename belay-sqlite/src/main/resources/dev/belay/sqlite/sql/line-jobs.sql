-- The jobs of one line, in order, with their payloads unless those are large.
-- in: queue, line
-- out: one row a job; whether its row agrees with its place; open as many as needed
-- locks: none: reads a snapshot
-- keeps: everything
SELECT {{job-columns}}, p.at, job.line = p.line AND job.at = p.at, payload
FROM place p CROSS JOIN job ON seq = p.job WHERE p.queue = :queue AND p.line = :line ORDER BY p.at, p.job
