-- A queue by name, known or not.
-- in: namespace, name
-- out: no row or one
-- locks: none: reads a snapshot
-- keeps: everything
SELECT id, name, known, paused, keep_finished, keep_finished_count, keep_dead, keep_dead_count, keep_dead_bytes, token,
  scheduled, ready, running, succeeded, dead, cancelled, dead_bytes, last_promotion_at, unknown_window_at,
  unknown_promoted
FROM queue WHERE namespace = :namespace AND name = :name
