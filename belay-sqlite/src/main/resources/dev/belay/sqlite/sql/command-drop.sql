-- Drops the commands that were seen.
-- in: session, seen
-- out: how many
-- locks: the write lock of the transaction around it
-- keeps: later ones
DELETE FROM session_command WHERE session = :session AND number <= :seen
