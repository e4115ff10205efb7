-- Reserves a key that nobody has.
-- in: hash, scope, key, version: any that no earlier row of this key had; fingerprint, atMostOnce, the owner; offset
-- out: one row changed, or none where the key is taken
-- locks: the row; waits for a transaction that has inserted the same key
-- keeps: what is there already
INSERT INTO belay_ledger
  (hash, scope, effect_key, state, version, fingerprint, at_most_once, owner_store, owner_queue, owner_job, owner_replays,
   owner_session, owner_token, created_at, updated_at)
VALUES
  (:hash, :scope, :key, 'PENDING', :version, :fingerprint, :atMostOnce, :store, :queue, :job, :replays,
   :session, :token, {{now}}, {{now}})
ON CONFLICT (hash) DO NOTHING
