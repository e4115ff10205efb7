q.id, q.name, q.known, q.paused, q.keep_finished, q.keep_finished_count, q.keep_dead, q.keep_dead_count, q.keep_dead_bytes, 0,
  q.scheduled + coalesce(c.scheduled, 0), q.ready + coalesce(c.ready, 0), q.running + coalesce(c.running, 0),
  q.succeeded + coalesce(c.succeeded, 0), q.dead + coalesce(c.dead, 0), q.cancelled + coalesce(c.cancelled, 0),
  q.dead_bytes + coalesce(c.dead_bytes, 0), q.last_promotion_at, q.unknown_window_at, q.unknown_promoted
FROM belay.queue q LEFT JOIN (
  SELECT queue, sum(scheduled) scheduled, sum(ready) ready, sum(running) running, sum(succeeded) succeeded, sum(dead) dead,
    sum(cancelled) cancelled, sum(dead_bytes) dead_bytes
  FROM belay.queue_change GROUP BY queue) c ON c.queue = q.id
