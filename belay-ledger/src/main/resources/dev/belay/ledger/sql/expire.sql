-- Removes effects whose retention is over.
-- in: limit; offset
-- out: how many were removed
-- locks: the rows
-- keeps: whatever is not final: that has no expiry
DELETE FROM belay_ledger
WHERE hash IN (SELECT hash FROM belay_ledger WHERE expires_at <= {{now}} ORDER BY expires_at LIMIT :limit)
  AND expires_at <= {{now}} AND state <> 'PENDING'
