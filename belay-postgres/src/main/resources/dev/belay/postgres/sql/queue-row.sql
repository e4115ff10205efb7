-- Queues without their counts, each not to be removed before the end of the transaction: a shared advisory lock says so.
SELECT id, name, known, paused, keep_finished, keep_finished_count, keep_dead, keep_dead_count, keep_dead_bytes,
  (SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END FROM belay.token_number),
  0, 0, 0, 0, 0, 0, 0, last_promotion_at, unknown_window_at, unknown_promoted,
  pg_advisory_xact_lock_shared(hashtextextended('belay queue ' || id, 0))
FROM belay.queue
