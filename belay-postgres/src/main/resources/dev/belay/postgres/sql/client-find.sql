-- The newest numbered call of a client.
-- in: client, queue
-- out: number, verdicts
-- locks: none: who means to add one holds the lock on the client's calls
-- keeps: everything
SELECT number, verdicts FROM belay.client_call WHERE client = :client AND queue = :queue ORDER BY number DESC LIMIT 1
