-- What is not completed, oldest first.
-- in: createdAt, hash of the last one before the page; limit
-- out: rows
-- locks: none
-- keeps: everything
SELECT {{columns}}
FROM belay_ledger
WHERE state <> 'COMPLETED' AND (created_at > :createdAt OR (created_at = :createdAt AND hash > :hash))
ORDER BY created_at, hash
LIMIT :limit
