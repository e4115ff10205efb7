-- Whether a session is there.
-- in: id
-- out: 1, or no row where it was ended
-- locks: none
-- keeps: everything
SELECT 1
FROM belay_ledger_session
WHERE id = :id
