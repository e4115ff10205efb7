-- Lets this transaction wait for locks as its session does.
-- in: nothing
-- out: nothing
-- locks: none
-- keeps: what the session has set
SET LOCAL lock_timeout TO DEFAULT
