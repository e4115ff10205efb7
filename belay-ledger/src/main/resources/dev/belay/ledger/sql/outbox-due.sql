-- Whether a relay has anything to do.
-- in: namespace; offset
-- out: 1, or no row where no job waits that nobody is moving
-- locks: none
-- keeps: everything
SELECT 1
FROM belay_outbox
WHERE namespace = :namespace AND problem IS NULL AND (claimed_until IS NULL OR claimed_until <= {{now}})
LIMIT 1
