-- Counts of events, summed over slices.
-- in: namespace, queue and type (null for all), first and last slice
-- out: queue, type, event, how many
-- locks: none: reads a snapshot
-- keeps: everything
SELECT q.name, e.type, e.event, sum(e.n)
FROM belay.queue q JOIN (
  SELECT queue, slice, type, event, n FROM belay.event_count
  UNION ALL
  SELECT queue, slice, type, event, n FROM belay.event_change) e ON e.queue = q.id
WHERE q.namespace = :namespace AND (:queue::text IS NULL OR q.name = :queue) AND (:type::text IS NULL OR e.type = :type)
  AND e.slice BETWEEN :first AND :last
GROUP BY q.name, e.type, e.event ORDER BY q.name, e.type
