-- Notes that a client called again.
-- in: client, queue, now
-- out: nothing
-- locks: the rows that it changes, until the end of the transaction
-- keeps: its answers
UPDATE belay.client_call SET at = :now WHERE client = :client AND queue = :queue
