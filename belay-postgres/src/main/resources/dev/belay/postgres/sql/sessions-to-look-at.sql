-- Locks the sessions that a look may change: ended, past their deadline, or with one that is too far ahead.
-- in: namespace, now
-- out: one row a session, in order of registering
-- locks: the sessions, until the end of the transaction; leaves out what others have locked
-- keeps: everything
SELECT s.no, s.id, s.queue, q.name, s.worker, s.lease_duration, s.registered_at, s.deadline, s.marked_at, s.stage, s.fence,
  0, s.newest_command, s.version, s.slots
FROM belay.queue q JOIN belay.session s ON s.queue = q.id
WHERE q.namespace = :namespace AND s.stage < 2
  AND (s.stage = 1 OR s.deadline <= :now OR s.deadline > :now + s.lease_duration) ORDER BY s.no FOR UPDATE OF s SKIP LOCKED
