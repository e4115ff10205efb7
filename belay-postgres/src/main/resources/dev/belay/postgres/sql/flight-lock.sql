-- Locks a job in flight: from now on nobody else changes the job.
-- in: job
-- out: a row where it is in flight
-- locks: its row in flight, until the end of the transaction
-- keeps: everything
SELECT 1 FROM belay.flight WHERE job = :job FOR UPDATE
