-- A job by id.
-- in: queue, id
-- out: no row or one
-- locks: none: reads a snapshot
-- keeps: everything
SELECT {{job-columns}}
FROM job INDEXED BY job_id WHERE queue = :queue AND id = :id
