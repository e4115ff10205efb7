-- Puts a job in flight.
-- in: job, queue, session, token, now
-- out: nothing
-- locks: the write lock of the transaction around it
-- keeps: a job is in flight once: the caller has taken its place
INSERT INTO flight (job, queue, session, token, leased_at) VALUES (:job, :queue, :session, :token, :now)
