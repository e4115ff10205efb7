-- Drops the commands that were seen.
-- in: session, seen
-- out: how many
-- locks: the rows that it changes, until the end of the transaction
-- keeps: later ones
DELETE FROM belay.session_command WHERE session = :session AND number <= :seen
