-- Writes what only some jobs have.
-- in: job, queue and the fields
-- out: nothing
-- locks: the rows that it changes, until the end of the transaction
-- keeps: one row a job; its result
INSERT INTO belay.more (job, queue,
  expires_at, lifetime, timer, unknown_since, failures, crashes, steps_taken, snoozes, releases, replays,
  history_count, key, timeout, backoff, retention, group_key, tags, headers, parent, replaces, reason,
  error_class, error_fingerprint, error_message, error_stack, progress, dedup_window, dedup_mode)
VALUES (:job, :queue,
  :expiresAt, :lifetime, :timer, :unknownSince, :failures, :crashes, :stepsTaken, :snoozes, :releases, :replays,
  :historyCount, :key, :timeout, :backoff, :retention, :groupKey, :tags, :headers, :parent, :replaces, :reason,
  :errorClass, :errorFingerprint, :errorMessage, :errorStack, :progress, :dedupWindow, :dedupMode)
ON CONFLICT (job) DO UPDATE SET
  expires_at = excluded.expires_at, lifetime = excluded.lifetime, timer = excluded.timer,
  unknown_since = excluded.unknown_since, failures = excluded.failures, crashes = excluded.crashes,
  steps_taken = excluded.steps_taken, snoozes = excluded.snoozes, releases = excluded.releases,
  replays = excluded.replays, history_count = excluded.history_count, key = excluded.key,
  timeout = excluded.timeout, backoff = excluded.backoff, retention = excluded.retention,
  group_key = excluded.group_key, tags = excluded.tags, headers = excluded.headers, parent = excluded.parent,
  replaces = excluded.replaces, reason = excluded.reason, error_class = excluded.error_class,
  error_fingerprint = excluded.error_fingerprint, error_message = excluded.error_message,
  error_stack = excluded.error_stack, progress = excluded.progress
