-- Jobs that the pruner has to look at now: expired while they wait, or kept for long enough.
-- in: queue, now, limit
-- out: one row a job
-- locks: none: reads a snapshot
-- keeps: everything
SELECT {{job-columns}}
FROM job INDEXED BY job_timer
WHERE queue = :queue AND timer IS NOT NULL AND timer <= :now AND line <> 17 ORDER BY timer LIMIT :limit
