-- Reads one effect.
-- in: hash
-- out: its row, or none
-- locks: none
-- keeps: everything
SELECT {{columns}}
FROM belay_ledger
WHERE hash = :hash
