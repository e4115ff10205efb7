-- Jobs that the pruner has to look at now: expired while they wait, or kept for long enough.
-- in: queue, now, limit
-- out: one row a job
-- locks: none: reads a snapshot
-- keeps: everything
SELECT {{job-columns}}, {{no-flight-columns}}
FROM job INDEXED BY job_timer LEFT JOIN flight f ON f.job = seq
WHERE job.queue = :queue AND timer IS NOT NULL AND timer <= :now AND f.job IS NULL ORDER BY timer LIMIT :limit
