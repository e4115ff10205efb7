-- What people did, newest first.
-- in: limit
-- out: at, actor, action, scope, effect_key, reason
-- locks: none
-- keeps: everything
SELECT at, actor, action, scope, effect_key, reason
FROM belay_ledger_audit
ORDER BY at DESC
LIMIT :limit
