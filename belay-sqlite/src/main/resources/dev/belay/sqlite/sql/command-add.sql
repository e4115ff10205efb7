-- Leaves a command.
-- in: session, number, kind; job and token of a revoked lease
-- out: nothing
-- locks: the write lock of the transaction around it
-- keeps: everything else
INSERT INTO session_command (session, number, kind, job, token) VALUES (:session, :number, :kind, :job, :token)
