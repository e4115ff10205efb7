-- All known queues, in order of names.
-- in: namespace
-- out: one row a queue
-- locks: none: reads a snapshot
-- keeps: everything
SELECT id, name, known, paused, keep_finished, keep_finished_count, keep_dead, keep_dead_count, keep_dead_bytes, token,
  scheduled, ready, running, succeeded, dead, cancelled, dead_bytes, last_promotion_at, unknown_window_at,
  unknown_promoted
FROM queue WHERE namespace = :namespace AND known = 1 ORDER BY name
