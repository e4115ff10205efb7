-- Registers the session of a process.
-- in: id, name, life: milliseconds until its deadline; offset
-- out: one row
-- locks: the row
-- keeps: others
INSERT INTO belay_ledger_session (id, name, deadline)
VALUES (:id, :name, {{now}} + :life)
