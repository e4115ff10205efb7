-- Writes what can change of a job's row.
-- in: seq and the fields
-- out: one row changed
-- locks: the rows that it changes, until the end of the transaction
-- keeps: what is fixed at acceptance; its place, which the caller changes
UPDATE belay.job SET line = :line, at = :at, priority = :priority, token = :token, run_at = :runAt, ready_at = :readyAt,
  deliveries = :deliveries, more = :more, last_token = :lastToken, last_session = :lastSession,
  last_outcome = :lastOutcome
WHERE seq = :seq
