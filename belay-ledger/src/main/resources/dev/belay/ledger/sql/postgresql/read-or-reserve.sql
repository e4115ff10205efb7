-- Reads one effect, or reserves its key where nobody has it: one round trip, and no write where there is something to read.
-- in: hash, scope, key, version: any that no earlier row of this key had; fingerprint, atMostOnce, the owner; offset
-- out: one row: the effect as it was found, and whether it was made; nothing but nulls where the key was taken meanwhile, or the
--   session of a caller was ended
-- locks: the row that it makes; waits at most 5 s for a transaction that has inserted the same key
-- keeps: what is there already
WITH found AS (
  SELECT {{columns}} FROM belay_ledger WHERE hash = :hash
), made AS (
  INSERT INTO belay_ledger
    (hash, scope, effect_key, state, version, fingerprint, at_most_once, owner_store, owner_queue, owner_job, owner_replays,
     owner_session, owner_token, created_at, updated_at)
  SELECT
    CAST(:hash AS BYTEA), CAST(:scope AS TEXT), CAST(:key AS TEXT), 'PENDING', CAST(:version AS BIGINT),
    CAST(:fingerprint AS BYTEA), CAST(:atMostOnce AS INTEGER), CAST(:store AS TEXT), CAST(:queue AS TEXT),
    CAST(:job AS BYTEA), CAST(:replays AS BIGINT), CAST(:session AS BYTEA), CAST(:token AS BIGINT), {{now}}, {{now}}
  WHERE NOT EXISTS (SELECT 1 FROM found)
    AND (CAST(:store AS TEXT) IS NOT NULL OR EXISTS (SELECT 1 FROM belay_ledger_session WHERE id = CAST(:session AS BYTEA)))
    -- For this statement's own transaction.
    AND set_config('lock_timeout', '5s', true) IS NOT NULL
  ON CONFLICT (hash) DO NOTHING
  RETURNING TRUE AS is_made
)
SELECT {{columns}}, is_made
FROM (SELECT) AS one LEFT JOIN found ON TRUE LEFT JOIN made ON TRUE
