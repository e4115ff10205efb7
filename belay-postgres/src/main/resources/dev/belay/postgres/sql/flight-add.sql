-- Puts a job in flight.
-- in: job, queue, session, token, now
-- out: nothing
-- locks: the rows that it changes, until the end of the transaction
-- keeps: a job is in flight once: the caller has taken its place
INSERT INTO belay.flight (job, queue, session, token, leased_at) VALUES (:job, :queue, :session, :token, :now)
