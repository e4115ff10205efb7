-- Keeps jobs that succeeded, once their leases are ended.
-- in: arrays of seq, token, sessionId, line; now
-- out: nothing
-- locks: the rows that it changes, until the end of the transaction
-- keeps: its place, which the caller gives
UPDATE belay.job SET line = (:line::integer[])[array_position(:seq::bigint[], seq)], at = :now,
  token = (:token::bigint[])[array_position(:seq::bigint[], seq)], deliveries = deliveries + 1,
  last_token = (:token::bigint[])[array_position(:seq::bigint[], seq)],
  last_session = (:sessionId::bytea[])[array_position(:seq::bigint[], seq)], last_outcome = 'complete'
WHERE seq = ANY(:seq::bigint[])
