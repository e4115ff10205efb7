-- Keeps a numbered call with its answers.
-- in: client, queue, number, now, verdicts
-- out: nothing
-- locks: the rows that it changes, until the end of the transaction
-- keeps: one call a client and queue, the newest
INSERT INTO belay.client_call (client, queue, number, at, verdicts) VALUES (:client, :queue, :number, :now, :verdicts)
ON CONFLICT (client, queue) DO UPDATE SET number = excluded.number, at = excluded.at, verdicts = excluded.verdicts
