-- Groups of dead letters, largest first.
-- in: namespace, queue (its name, or null for all), limit
-- out: one row a group
-- locks: none: reads a snapshot
-- keeps: everything
SELECT q.name, g.type, g.fingerprint, g.reason, g.error_class, g.message, g.count, g.first_seen, g.last_seen
FROM belay.queue q JOIN belay.dead_group g ON g.queue = q.id
WHERE q.namespace = :namespace AND q.known = 1 AND (:queue::text IS NULL OR q.name = :queue) AND g.count > 0
ORDER BY g.count DESC, g.last_seen DESC, q.name, g.type, g.fingerprint LIMIT :limit
