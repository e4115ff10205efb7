-- Frees a key: its effect was certainly not made.
-- in: hash; session and token of the owner
-- out: one row removed, or none where the owner holds it no longer
-- locks: the row
-- keeps: what somebody else has made of it
DELETE FROM belay_ledger
WHERE hash = :hash
  AND {{pending}}
  AND owner_session = :session AND owner_token = :token
