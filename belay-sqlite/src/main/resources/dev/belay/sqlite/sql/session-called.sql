-- Notes the newest lease call.
-- in: session, number
-- out: nothing
-- locks: the write lock of the transaction around it
-- keeps: numbers grow
UPDATE session SET newest_call = :number WHERE no = :session
