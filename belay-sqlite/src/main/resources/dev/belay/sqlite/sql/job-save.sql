-- Writes what can change of a job's row.
-- in: seq and the fields
-- out: one row changed
-- locks: the write lock of the transaction around it
-- keeps: what is fixed at acceptance; its place, which the caller changes
UPDATE job SET line = :line, at = :at, priority = :priority, token = :token, run_at = :runAt, ready_at = :readyAt,
  deliveries = :deliveries, more = :more, last_token = :lastToken, last_session = :lastSession,
  last_outcome = :lastOutcome
WHERE seq = :seq
