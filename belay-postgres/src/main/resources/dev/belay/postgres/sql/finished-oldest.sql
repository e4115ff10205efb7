-- Locks the jobs that succeeded or were cancelled the longest ago, whatever keeps them.
-- in: queue, limit
-- out: one row a job, its number
-- locks: the places, until the end of the transaction; leaves out what others have locked
-- keeps: everything
SELECT p.job FROM belay.place p WHERE p.queue = :queue AND (p.line, p.at, p.job) IN (
  SELECT line, at, job FROM (
    (SELECT line, at, job FROM belay.place WHERE queue = :queue AND line = 20 ORDER BY at LIMIT :limit)
    UNION ALL
    (SELECT line, at, job FROM belay.place WHERE queue = :queue AND line = 21 ORDER BY at LIMIT :limit)
    UNION ALL
    (SELECT line, at, job FROM belay.place WHERE queue = :queue AND line = 22 ORDER BY at LIMIT :limit)
    UNION ALL
    (SELECT line, at, job FROM belay.place WHERE queue = :queue AND line = 23 ORDER BY at LIMIT :limit)
  ) oldest ORDER BY at, job LIMIT :limit)
FOR UPDATE SKIP LOCKED
