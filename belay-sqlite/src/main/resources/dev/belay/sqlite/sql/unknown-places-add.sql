-- Gives the jobs that are known now a place among the scheduled.
-- in: queue
-- out: how many
-- locks: the write lock of the transaction around it
-- keeps: the places of others
INSERT INTO place (queue, line, at, job)
SELECT p.queue, j.line, j.at, p.job FROM place p CROSS JOIN job j ON j.seq = p.job
WHERE p.queue = :queue AND p.line = 16 AND j.line = 15
