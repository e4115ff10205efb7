expires_at, lifetime, timer, unknown_since, failures, crashes, steps_taken, snoozes, releases, replays,
  history_count, key, timeout, backoff, retention, group_key, tags, headers, parent, replaces, reason, error_class,
  error_fingerprint, error_message, error_stack, progress, dedup_window, dedup_mode
