-- Begins a numbered enqueue, and reads what it needs to know, in one round trip: begin, namespace-read, queue-find, and
--   the newest call of the client there, as client-find does.
-- in: as these; name of the queue; client; call: the name of a lock
-- out: as these, in their order, with a row of no meaning before the last
-- locks: as these; the name, until the end of the transaction: the same call, sent again, waits
-- keeps: as these
{{begin}};
{{namespace-read}};
{{queue-find}};
SELECT 1, pg_advisory_xact_lock(hashtextextended(:call, 0));
SELECT number, verdicts FROM belay.client_call
WHERE client = :client AND queue = (SELECT id FROM belay.queue WHERE namespace = :namespace AND name = :name)
ORDER BY number DESC LIMIT 1
