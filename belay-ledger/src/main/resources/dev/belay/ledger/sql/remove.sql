-- Frees a key.
-- in: hash; version as it was read
-- out: one row removed, or none where somebody was faster
-- locks: the row
-- keeps: what somebody else has made of it
DELETE FROM belay_ledger
WHERE hash = :hash AND version = :version
