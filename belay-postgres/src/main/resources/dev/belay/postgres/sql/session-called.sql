-- Notes the newest lease call.
-- in: session, number
-- out: nothing
-- locks: the rows that it changes, until the end of the transaction
-- keeps: numbers grow
UPDATE belay.session SET newest_call = :number WHERE no = :session
