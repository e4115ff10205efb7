-- Gives a job a place.
-- in: queue, line, at, job
-- out: nothing
-- locks: the rows that it changes, until the end of the transaction
-- keeps: a job stands at one place: the caller has taken the one before
INSERT INTO belay.place (queue, line, at, job) VALUES (:queue, :line, :at, :job)
