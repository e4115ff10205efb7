-- Gives a job a place.
-- in: queue, line, at, job
-- out: nothing
-- locks: the write lock of the transaction around it
-- keeps: a job stands at one place: the caller has taken the one before
INSERT INTO place (queue, line, at, job) VALUES (:queue, :line, :at, :job)
