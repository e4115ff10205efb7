-- Takes over a reservation whose owner can't act any more, or what failed for good before a replay.
-- in: hash; version as it was read; atMostOnce, fingerprint, the new owner; offset
-- out: one row changed, or none where somebody was faster
-- locks: the row
-- keeps: when the key was first seen
UPDATE belay_ledger
SET state = 'PENDING', version = version + 1, at_most_once = :atMostOnce, fingerprint = :fingerprint, error = NULL, expires_at = NULL,
  owner_store = :store, owner_queue = :queue, owner_job = :job, owner_replays = :replays, owner_session = :session,
  owner_token = :token, updated_at = {{now}}
WHERE hash = :hash AND version = :version
