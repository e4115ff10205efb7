-- Keeps jobs that succeeded, once their leases are ended.
-- in: arrays of seq, token, sessionId, line; now
-- out: nothing
-- locks: the rows that it changes, until the end of the transaction
-- keeps: its place, which the caller gives
UPDATE belay.job j SET line = t.line, at = :now, token = t.token, deliveries = deliveries + 1, last_token = t.token,
  last_session = t.session_id, last_outcome = 'complete'
FROM unnest(:seq::bigint[], :token::bigint[], :sessionId::bytea[], :line::integer[]) AS t (seq, token, session_id, line)
WHERE j.seq = t.seq
