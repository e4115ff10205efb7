-- Begins a lease call, and reads what it needs to know, in one round trip: begin, session-lock, a shared lock against
--   pauses of the session's queue, the newest lease call, the queue as queue-find does, its heads as
--   line-heads does.
-- in: as these; id of the session; lock: the first part of the lock's name, before that of the queue;
--   from: an array, for each line the place from which on to look
-- out: as these, in their order; behind the heads, how many microseconds it took to find them. Nothing of a queue where
--   the session is not there
-- locks: as these, and a shared advisory lock on the name
-- keeps: as these
{{begin}};
{{session-lock}};
SELECT 1, pg_advisory_xact_lock_shared(hashtextextended(:lock || q.name, 0))
FROM belay.session s JOIN belay.queue q ON q.id = s.queue WHERE s.id = :id AND q.namespace = :namespace;
SELECT number FROM belay.session_call
WHERE session = (SELECT no FROM belay.session WHERE id = :id) ORDER BY number DESC LIMIT 1;
{{queue-row}}
WHERE namespace = :namespace AND id = (SELECT queue FROM belay.session WHERE id = :id);
{{heads-row}}
FROM (SELECT queue AS id, :from::bigint[] AS at FROM belay.session WHERE id = :id) q
