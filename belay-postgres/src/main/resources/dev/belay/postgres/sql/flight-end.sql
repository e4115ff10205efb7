-- Ends leases, each if it is held.
-- in: arrays of job, session, token
-- out: the places in the arrays, from 1, of those that were held
-- locks: the rows that it changes, until the end of the transaction
-- keeps: only the holder ends it
DELETE FROM belay.flight f
USING unnest(:job::bigint[], :session::bigint[], :token::bigint[]) WITH ORDINALITY AS t (job, session, token, n)
WHERE f.job = t.job AND f.session = t.session AND f.token = t.token
RETURNING t.n
