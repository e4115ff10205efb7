-- Leaves to a person an effect of which nobody knows whether it was made.
-- in: hash; session and token of the owner; offset
-- out: one row changed, or none where the owner holds it no longer
-- locks: the row
-- keeps: the owner: should it still say how it ended, that is the truth
UPDATE belay_ledger
SET version = version + 1, unknown_at = COALESCE(unknown_at, {{now}}), updated_at = {{now}}
WHERE hash = :hash
  AND {{pending}}
  AND owner_session = :session AND owner_token = :token
