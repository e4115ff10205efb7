-- Writes all that can change of a job, but for its place.
-- in: seq and the fields
-- out: one row changed
-- locks: the write lock of the transaction around it
-- keeps: what is fixed at acceptance
UPDATE job SET line = :line, at = :at, priority = :priority, token = :token, run_at = :runAt, ready_at = :readyAt,
  deliveries = :deliveries, expires_at = :expiresAt, timer = :timer, unknown_since = :unknownSince,
  failures = :failures, crashes = :crashes, steps_taken = :stepsTaken, snoozes = :snoozes, releases = :releases,
  replays = :replays, history_count = :historyCount, tags = :tags, reason = :reason, last_token = :lastToken,
  last_session = :lastSession, last_outcome = :lastOutcome, error_class = :errorClass,
  error_fingerprint = :errorFingerprint, error_message = :errorMessage, error_stack = :errorStack, progress = :progress
WHERE seq = :seq
