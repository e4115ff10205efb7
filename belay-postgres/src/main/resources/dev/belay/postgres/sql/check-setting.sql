-- A setting of the server.
-- in: name
-- out: its value, or null where there is none
-- locks: none
-- keeps: everything
SELECT current_setting(:name, true)
