-- The newest numbered call of a client.
-- in: client, queue
-- out: number, verdicts
-- locks: none: reads a snapshot
-- keeps: everything
SELECT number, verdicts FROM client_call WHERE client = :client AND queue = :queue
