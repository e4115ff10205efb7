-- Notes that a client called again.
-- in: client, queue, now
-- out: nothing
-- locks: the write lock of the transaction around it
-- keeps: its answers
UPDATE client_call SET at = :now WHERE client = :client AND queue = :queue
