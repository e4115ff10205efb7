-- Ends an attempt of which nobody knows how it ended: the next may be made.
-- in: hash; session and token of the owner; offset
-- out: one row changed, or none where the owner holds it no longer
-- locks: the row
-- keeps: the reservation, without an owner
UPDATE belay_ledger
SET version = version + 1, owner_store = NULL, owner_queue = NULL, owner_job = NULL, owner_replays = NULL,
  owner_session = NULL, owner_token = NULL, updated_at = {{now}}
WHERE hash = :hash
  AND {{pending}}
  AND owner_session = :session AND owner_token = :token
