-- What waits, oldest first.
-- in: problemsOnly: 1 or 0; limit
-- out: namespace, queue, id, job, added_at, sending_at, problem
-- locks: none
-- keeps: everything
SELECT namespace, queue, id, job, added_at, sending_at, problem
FROM belay_outbox
WHERE :problemsOnly = 0 OR problem IS NOT NULL
ORDER BY position
LIMIT :limit
