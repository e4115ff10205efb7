-- Notes what a person did.
-- in: actor, action, scope, key, reason; offset
-- out: one row
-- locks: none
-- keeps: what was noted before
INSERT INTO belay_ledger_audit (at, actor, action, scope, effect_key, reason)
VALUES ({{now}}, :actor, :action, :scope, :key, :reason)
