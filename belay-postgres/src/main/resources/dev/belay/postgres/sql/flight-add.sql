-- Puts jobs in flight.
-- in: queue, session, now; arrays of job, token
-- out: nothing
-- locks: the rows that it changes, until the end of the transaction
-- keeps: a job is in flight once: the caller has taken its place
INSERT INTO belay.flight (job, queue, session, token, leased_at)
SELECT job, :queue, :session, token, :now FROM unnest(:job::bigint[], :token::bigint[]) AS t (job, token)
