-- Sessions that are past their deadline, and the time.
-- in: offset
-- out: id, marked_at, looked_at, now
-- locks: none
-- keeps: everything
SELECT id, marked_at, looked_at, {{now}}
FROM belay_ledger_session
WHERE deadline < {{now}}
