-- Accepts jobs, with their places. A queue that was removed meanwhile is known again.
-- in: queue; arrays of all that jobs are made with, but for what only some have
-- out: the numbers of those that were added: all but those whose id is taken in the queue
-- locks: the rows that it changes, until the end of the transaction
-- keeps: no id twice in a queue; one place a job
WITH known AS (
  UPDATE belay.queue SET known = 1 WHERE id = :queue AND known = 0
), added AS (
  INSERT INTO belay.job (seq, queue, id, type, line, at, priority, format, encoding, schema_version, fingerprint,
    payload_size, run_at, ready_at, max_attempts, max_crashes, more, payload)
  SELECT seq, :queue, id, type, line, at, priority, :format, encoding, schema_version, fingerprint,
    payload_size, run_at, ready_at, max_attempts, max_crashes, more, payload
  FROM unnest(:seq::bigint[], :id::bytea[], :type::text[], :line::integer[], :at::bigint[], :priority::integer[],
    :encoding::text[], :schemaVersion::integer[], :fingerprint::bytea[], :payloadSize::integer[], :runAt::bigint[],
    :readyAt::bigint[], :maxAttempts::integer[], :maxCrashes::integer[], :more::integer[], :payload::bytea[])
    AS new (seq, id, type, line, at, priority, encoding, schema_version, fingerprint, payload_size, run_at, ready_at,
      max_attempts, max_crashes, more, payload)
  ON CONFLICT (queue, id) DO NOTHING
  RETURNING seq, queue, line, at
), placed AS (
  INSERT INTO belay.place (queue, line, at, job) SELECT queue, line, at, seq FROM added
)
SELECT seq FROM added
