hash, scope, effect_key, state, version, fingerprint, at_most_once, owner_store, owner_queue, owner_job, owner_replays,
  owner_session, owner_token, result, encoding, error, created_at, updated_at, unknown_at, expires_at
