-- Writes what only some jobs have.
-- in: arrays of job, queue and the fields; no job twice
-- out: nothing
-- locks: the rows that it changes, until the end of the transaction
-- keeps: one row a job; its result
INSERT INTO belay.more (job, queue,
  expires_at, lifetime, timer, unknown_since, failures, crashes, steps_taken, snoozes, releases, replays,
  history_count, key, timeout, backoff, retention, group_key, tags, headers, parent, replaces, reason,
  error_class, error_fingerprint, error_message, error_stack, progress, dedup_window, dedup_mode)
SELECT * FROM unnest(
  :job::bigint[], :queue::bigint[], :expiresAt::bigint[], :lifetime::bigint[], :timer::bigint[],
  :unknownSince::bigint[], :failures::integer[], :crashes::integer[], :stepsTaken::integer[],
  :snoozes::integer[], :releases::integer[], :replays::integer[], :historyCount::integer[], :key::text[],
  :timeout::bigint[], :backoff::text[], :retention::bigint[], :groupKey::text[], :tags::text[], :headers::text[],
  :parent::bytea[], :replaces::bytea[], :reason::text[], :errorClass::text[], :errorFingerprint::text[],
  :errorMessage::text[], :errorStack::text[], :progress::text[], :dedupWindow::bigint[], :dedupMode::integer[])
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
