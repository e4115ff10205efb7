-- Draws the number of the next command.
-- in: session
-- out: the number
-- locks: the session, until the end of the transaction
-- keeps: numbers grow within the session
UPDATE belay.session SET newest_command = newest_command + 1 WHERE no = :session RETURNING newest_command
