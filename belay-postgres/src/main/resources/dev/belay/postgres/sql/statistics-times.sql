-- Histograms of slices.
-- in: namespace, queue and type (null for all), first and last slice
-- out: queue, type, kind, histogram of each
-- locks: none: reads a snapshot
-- keeps: everything
SELECT q.name, t.type, t.kind, t.histogram FROM belay.queue q JOIN belay.times t ON t.queue = q.id
WHERE q.namespace = :namespace AND (:queue::text IS NULL OR q.name = :queue) AND (:type::text IS NULL OR t.type = :type)
  AND t.slice BETWEEN :first AND :last
ORDER BY q.name, t.type
