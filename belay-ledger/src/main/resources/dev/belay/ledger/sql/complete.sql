-- Records that an effect was made.
-- in: hash; session and token of the owner; result, encoding, retention; offset
-- out: one row changed, or none where the owner holds it no longer
-- locks: the row
-- keeps: the owner, so that a record which is sent again is recognised
UPDATE belay_ledger
SET state = 'COMPLETED', version = version + 1, result = :result, encoding = :encoding, unknown_at = NULL,
  updated_at = {{now}}, expires_at = {{now}} + :retention
WHERE hash = :hash
  AND {{pending}}
  AND owner_session = :session AND owner_token = :token
