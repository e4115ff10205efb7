-- Jobs in lines that do not exist: their record is damaged.
-- in: queue, limit
-- out: one row a job
-- locks: none: reads a snapshot
-- keeps: everything
SELECT {{job-columns}}
FROM job INDEXED BY job_line
WHERE queue = :queue AND (line < 0 OR line IN (18, 19) OR line > 24) LIMIT :limit
