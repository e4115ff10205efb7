-- Keeps a job that succeeded, once its lease is ended.
-- in: seq, token, sessionId, line, now
-- out: one row changed
-- locks: the rows that it changes, until the end of the transaction
-- keeps: its place, which the caller gives
UPDATE belay.job SET line = :line, at = :now, token = :token, deliveries = deliveries + 1, last_token = :token,
  last_session = :sessionId, last_outcome = 'complete'
WHERE seq = :seq
