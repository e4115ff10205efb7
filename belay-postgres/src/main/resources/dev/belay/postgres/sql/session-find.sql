-- A session by id, ended ones included.
-- in: namespace, id
-- out: no row or one
-- locks: none: reads a snapshot
-- keeps: everything
SELECT s.no, s.id, s.queue, q.name, s.worker, s.lease_duration, s.registered_at, s.deadline, s.marked_at, s.stage, s.fence,
  0, s.newest_command, s.version, s.slots
FROM belay.session s JOIN belay.queue q ON q.id = s.queue WHERE s.id = :id AND q.namespace = :namespace AND s.stage < 2
