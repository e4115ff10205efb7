-- Begins a numbered enqueue, and reads what it needs to know, in one round trip: begin, namespace-read, queue-find, and
--   the newest call of the client there, as client-find does.
-- in: as these; name of the queue; client
-- out: as these, in their order
-- locks: as these
-- keeps: as these
{{begin}};
{{namespace-read}};
{{queue-find}};
SELECT number, verdicts FROM belay.client_call
WHERE client = :client AND queue = (SELECT id FROM belay.queue WHERE namespace = :namespace AND name = :name) FOR UPDATE
