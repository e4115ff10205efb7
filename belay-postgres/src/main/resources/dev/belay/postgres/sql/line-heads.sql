-- The heads of the lines of a queue: the first place in each of the lines 0 to 16, null where it is empty; then how
--   many suspects are ready, counted up to two.
-- in: queue
-- out: one row of 18 columns
-- locks: none: reads a snapshot
-- keeps: everything
SELECT
  (SELECT at FROM belay.place WHERE queue = q.id AND line = 0 ORDER BY at LIMIT 1),
  (SELECT at FROM belay.place WHERE queue = q.id AND line = 1 ORDER BY at LIMIT 1),
  (SELECT at FROM belay.place WHERE queue = q.id AND line = 2 ORDER BY at LIMIT 1),
  (SELECT at FROM belay.place WHERE queue = q.id AND line = 3 ORDER BY at LIMIT 1),
  (SELECT at FROM belay.place WHERE queue = q.id AND line = 4 ORDER BY at LIMIT 1),
  (SELECT at FROM belay.place WHERE queue = q.id AND line = 5 ORDER BY at LIMIT 1),
  (SELECT at FROM belay.place WHERE queue = q.id AND line = 6 ORDER BY at LIMIT 1),
  (SELECT at FROM belay.place WHERE queue = q.id AND line = 7 ORDER BY at LIMIT 1),
  (SELECT at FROM belay.place WHERE queue = q.id AND line = 8 ORDER BY at LIMIT 1),
  (SELECT at FROM belay.place WHERE queue = q.id AND line = 9 ORDER BY at LIMIT 1),
  (SELECT at FROM belay.place WHERE queue = q.id AND line = 10 ORDER BY at LIMIT 1),
  (SELECT at FROM belay.place WHERE queue = q.id AND line = 11 ORDER BY at LIMIT 1),
  (SELECT at FROM belay.place WHERE queue = q.id AND line = 12 ORDER BY at LIMIT 1),
  (SELECT at FROM belay.place WHERE queue = q.id AND line = 13 ORDER BY at LIMIT 1),
  (SELECT at FROM belay.place WHERE queue = q.id AND line = 14 ORDER BY at LIMIT 1),
  (SELECT at FROM belay.place WHERE queue = q.id AND line = 15 ORDER BY at LIMIT 1),
  (SELECT at FROM belay.place WHERE queue = q.id AND line = 16 ORDER BY at LIMIT 1),
  (SELECT count(*) FROM (SELECT 1 FROM belay.place WHERE queue = q.id AND line BETWEEN 10 AND 14 LIMIT 2) few)
FROM (SELECT :queue::bigint AS id) q
