-- All sessions that are registered, ended ones that are not empty yet included.
-- in: namespace
-- out: one row a session, in order of registering
-- locks: none: reads a snapshot
-- keeps: everything
SELECT s.no, s.id, s.queue, q.name, s.worker, s.lease_duration, s.registered_at, s.deadline, s.marked_at, s.stage, s.fence,
  0, s.newest_command, s.version, s.slots
FROM belay.queue q JOIN belay.session s ON s.queue = q.id
WHERE q.namespace = :namespace AND s.stage < 2 ORDER BY s.no
