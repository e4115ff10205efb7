-- Draws the number of the next command.
-- in: session
-- out: the number
-- locks: the write lock of the transaction around it
-- keeps: numbers grow within the session
UPDATE session SET newest_command = newest_command + 1 WHERE no = :session RETURNING newest_command
