-- Records that an effect failed for good.
-- in: hash; session and token of the owner; error, retention; offset
-- out: one row changed, or none where the owner holds it no longer
-- locks: the row
-- keeps: the owner: a later replay of the same job may try again
UPDATE belay_ledger
SET state = 'FAILED_FINAL', version = version + 1, error = :error, unknown_at = NULL,
  updated_at = {{now}}, expires_at = {{now}} + :retention
WHERE hash = :hash
  AND {{pending}}
  AND owner_session = :session AND owner_token = :token
