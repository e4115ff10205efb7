-- The id and worker of a session by number, for the job that it holds.
-- in: session
-- out: number, id, worker
-- locks: none: reads a snapshot
-- keeps: everything
SELECT no, id, worker FROM belay.session WHERE no = :session
