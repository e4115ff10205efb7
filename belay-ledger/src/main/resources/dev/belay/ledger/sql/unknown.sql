-- What waits for a person, oldest first.
-- in: limit
-- out: rows
-- locks: none
-- keeps: everything
SELECT {{columns}}
FROM belay_ledger
WHERE state <> 'COMPLETED' AND unknown_at IS NOT NULL
ORDER BY created_at, hash
LIMIT :limit
