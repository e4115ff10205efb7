-- Leaves a command.
-- in: session, number, kind; job and token of a revoked lease
-- out: nothing
-- locks: the rows that it changes, until the end of the transaction
-- keeps: everything else
INSERT INTO belay.session_command (session, number, kind, job, token) VALUES (:session, :number, :kind, :job, :token)
