-- Locks the jobs that the pruner has to look at now: expired while they wait, or kept for long enough.
-- in: queue, now, limit
-- out: one row a job, its number
-- locks: the places, until the end of the transaction; leaves out what others have locked
-- keeps: everything
SELECT p.job FROM belay.more m JOIN belay.job j ON j.seq = m.job
JOIN belay.place p ON p.queue = j.queue AND p.line = j.line AND p.at = j.at AND p.job = j.seq
WHERE m.queue = :queue AND m.timer IS NOT NULL AND m.timer <= :now ORDER BY m.timer LIMIT :limit
FOR UPDATE OF p SKIP LOCKED
