-- As doubt, by somebody who has read the row and knows that its owner can't act any more.
-- in: hash; version as it was read; offset
-- out: one row changed, or none where somebody was faster
-- locks: the row
-- keeps: the owner: should it still say how it ended, that is the truth
UPDATE belay_ledger
SET version = version + 1, unknown_at = {{now}}, updated_at = {{now}}
WHERE hash = :hash AND version = :version
  AND {{pending}}
