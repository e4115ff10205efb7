-- Records for good that a key was used for a job.
-- in: hash, scope, key, version, fingerprint, id: the job's, as text; offset
-- out: one row, or none where the key is taken
-- locks: the row; waits for a transaction that has inserted the same key
-- keeps: what is there already
INSERT INTO belay_ledger
  (hash, scope, effect_key, state, version, fingerprint, at_most_once, result, encoding, created_at, updated_at)
VALUES
  (:hash, :scope, :key, 'COMPLETED', :version, :fingerprint, 0, :id, 'text', {{now}}, {{now}})
ON CONFLICT (hash) DO NOTHING
