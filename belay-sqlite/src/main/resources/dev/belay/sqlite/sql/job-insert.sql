-- Accepts a job.
-- in: all that a job is made with, but for what only some have
-- out: one row changed, or none where the id is taken in its queue
-- locks: the write lock of the transaction around it
-- keeps: an id once a queue
INSERT INTO job (seq, queue, id, type, line, at, priority, format, encoding, schema_version, fingerprint, payload_size,
  run_at, ready_at, max_attempts, max_crashes, more, payload)
VALUES (:seq, :queue, :id, :type, :line, :at, :priority, :format, :encoding, :schemaVersion, :fingerprint, :payloadSize,
  :runAt, :readyAt, :maxAttempts, :maxCrashes, :more, :payload)
ON CONFLICT (queue, id) DO NOTHING
