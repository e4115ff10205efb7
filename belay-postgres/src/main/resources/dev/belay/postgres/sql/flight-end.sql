-- Ends leases, each if it is held.
-- in: arrays of job, session, token
-- out: the jobs whose leases were held
-- locks: the rows that it changes, until the end of the transaction
-- keeps: only the holder ends it
DELETE FROM belay.flight WHERE job = ANY(ARRAY(
  SELECT held.job FROM unnest(:job::bigint[], :session::bigint[], :token::bigint[]) AS t (job, session, token)
  CROSS JOIN LATERAL (
    SELECT f.job FROM belay.flight f WHERE f.job = t.job AND f.session = t.session AND f.token = t.token LIMIT 1) held))
RETURNING job
