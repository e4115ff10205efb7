-- A queue by name, known or not, without its counts. It is not removed before the end of the transaction.
-- in: namespace, name
-- out: no row or one
-- locks: a shared advisory lock on the queue, until the end of the transaction: who removes it locks it alone
-- keeps: everything
SELECT id, name, known, paused, keep_finished, keep_finished_count, keep_dead, keep_dead_count, keep_dead_bytes,
  (SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END FROM belay.token_number),
  0, 0, 0, 0, 0, 0, 0, last_promotion_at, unknown_window_at, unknown_promoted,
  pg_advisory_xact_lock_shared(hashtextextended('belay queue ' || id, 0))
FROM belay.queue WHERE namespace = :namespace AND name = :name
