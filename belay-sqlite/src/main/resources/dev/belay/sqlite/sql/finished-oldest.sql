-- The jobs that succeeded or were cancelled the longest ago, whatever keeps them.
-- in: queue, limit
-- out: one row a job
-- locks: none: reads a snapshot
-- keeps: everything
SELECT {{job-columns}}
FROM job WHERE seq IN (
  SELECT job FROM (
    SELECT * FROM (SELECT job, at FROM place WHERE queue = :queue AND line = 20 ORDER BY at LIMIT :limit)
    UNION ALL
    SELECT * FROM (SELECT job, at FROM place WHERE queue = :queue AND line = 21 ORDER BY at LIMIT :limit)
    UNION ALL
    SELECT * FROM (SELECT job, at FROM place WHERE queue = :queue AND line = 22 ORDER BY at LIMIT :limit)
    UNION ALL
    SELECT * FROM (SELECT job, at FROM place WHERE queue = :queue AND line = 23 ORDER BY at LIMIT :limit)
  ) ORDER BY at, job LIMIT :limit)
