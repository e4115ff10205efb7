seq, job.queue, id, type, job.line, job.at, priority, job.token, format, encoding, schema_version, fingerprint,
  payload_size, run_at, ready_at, max_attempts, max_crashes, deliveries,
  (expires_at IS NOT NULL OR timer IS NOT NULL)
    + 2 * (unknown_since IS NOT NULL)
    + 4 * ((failures | crashes | steps_taken | snoozes | releases | replays | history_count) <> 0)
    + 8 * (key IS NOT NULL)
    + 16 * (coalesce(timeout, backoff, retention, group_key, tags, headers, parent, replaces) IS NOT NULL)
    + 32 * (coalesce(reason, last_token, error_class, progress) IS NOT NULL),
  expires_at, lifetime, timer, unknown_since,
  failures, crashes, steps_taken, snoozes, releases, replays, history_count, key,
  timeout, backoff, retention, group_key, tags, headers, parent, replaces,
  reason, last_token, last_session, last_outcome, error_class, error_fingerprint, error_message, error_stack, progress
