-- Notes a client that calls for the first time, before its call: one sent again waits here.
-- in: client, queue, now
-- out: one row changed, or none where it is known
-- locks: the row, until the end of the transaction
-- keeps: everything
INSERT INTO belay.client_call (client, queue, number, at, verdicts) VALUES (:client, :queue, 0, :now, '') ON CONFLICT DO NOTHING
