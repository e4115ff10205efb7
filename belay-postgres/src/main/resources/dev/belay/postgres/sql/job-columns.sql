seq, job.queue, id, type, job.line, job.at, priority, job.token, format, encoding, schema_version, fingerprint,
  payload_size, run_at, ready_at, max_attempts, max_crashes, deliveries, more, last_token, last_session, last_outcome
