-- Jobs that the pruner has to look at now: expired while they wait, or kept for long enough.
-- in: queue, now, limit
-- out: one row a job
-- locks: none: reads a snapshot
-- keeps: everything
SELECT {{job-columns}}
FROM more m INDEXED BY more_timer CROSS JOIN job ON seq = m.job LEFT JOIN flight f ON f.job = seq
WHERE m.queue = :queue AND m.timer IS NOT NULL AND m.timer <= :now AND f.job IS NULL ORDER BY m.timer LIMIT :limit
