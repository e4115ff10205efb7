-- Keeps a numbered call with its answers, in place of the newest before.
-- in: client, queue, number, now, verdicts
-- out: nothing
-- locks: the rows that it changes, until the end of the transaction
-- keeps: one call a client and queue, the newest, as the caller holds the lock on the client's calls
WITH before AS (
  DELETE FROM belay.client_call WHERE client = :client AND queue = :queue AND number = (
    SELECT number FROM belay.client_call WHERE client = :client AND queue = :queue ORDER BY number DESC LIMIT 1)
)
INSERT INTO belay.client_call (client, queue, number, at, verdicts) VALUES (:client, :queue, :number, :now, :verdicts)
