-- Ends a session: of its own will, or where its mark has stood for the grace.
-- in: id
-- out: one row removed, or none
-- locks: the row
-- keeps: the reservations of its callers: whoever meets one takes it over
DELETE FROM belay_ledger_session
WHERE id = :id
