-- Draws the number of the next command.
-- in: session
-- out: the number
-- locks: none
-- keeps: numbers grow within the session
SELECT nextval('belay.command_number') FROM (SELECT :session::bigint) any_session
