-- Records what a person knows: an effect happened.
-- in: hash; version as it was read; result, encoding, retention; offset
-- out: one row changed, or none where somebody was faster
-- locks: the row
-- keeps: when the key was first seen
UPDATE belay_ledger
SET state = 'COMPLETED', version = version + 1, result = :result, encoding = :encoding, unknown_at = NULL,
  updated_at = {{now}}, expires_at = {{now}} + :retention
WHERE hash = :hash AND version = :version
