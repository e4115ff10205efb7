-- Keeps a job that succeeded, if the lease is held.
-- in: seq, token, session, sessionId, line, now, timer
-- out: one row changed, or none: then the long way decides
-- locks: the write lock of the transaction around it
-- keeps: only the holder settles
UPDATE job SET line = :line, at = :now, finished_at = :now, timer = :timer, leased_at = NULL, begun_at = NULL,
  last_token = :token, last_session = :sessionId, last_outcome = 'complete'
WHERE seq = :seq AND line = 17 AND at = :session AND token = :token
