-- The number of a job whose lease is held.
-- in: queue, id, session, token
-- out: no row or one
-- locks: none: reads a snapshot
-- keeps: everything
SELECT f.job FROM job j INDEXED BY job_id JOIN flight f ON f.job = j.seq
WHERE j.queue = :queue AND j.id = :id AND f.session = :session AND f.token = :token
