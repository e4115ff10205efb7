-- The newest numbered call of a client. One sent again waits for the first.
-- in: client, queue
-- out: number, verdicts
-- locks: the row, until the end of the transaction
-- keeps: everything
SELECT number, verdicts FROM belay.client_call WHERE client = :client AND queue = :queue FOR UPDATE
