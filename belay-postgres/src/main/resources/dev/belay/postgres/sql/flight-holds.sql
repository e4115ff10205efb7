-- Whether a lease is held.
-- in: namespace, queue (its name), id, token, session (its id)
-- out: a row where it is
-- locks: none: reads a snapshot
-- keeps: everything
SELECT 1 FROM belay.queue q JOIN belay.session s ON s.id = :session AND s.queue = q.id
JOIN belay.job j ON j.queue = q.id AND j.id = :id
JOIN belay.flight f ON f.job = j.seq
WHERE q.namespace = :namespace AND q.name = :queue AND f.session = s.no AND f.token = :token
