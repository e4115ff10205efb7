-- Lets this transaction wait for locks at most 5 s, and stand idle at most for a while where the database sets no such limit.
-- in: idle: milliseconds, as text
-- out: one row
-- locks: none
-- keeps: what the session has set beyond this transaction
SELECT set_config('lock_timeout', '5s', true),
  CASE WHEN current_setting('idle_in_transaction_session_timeout') = '0'
    THEN set_config('idle_in_transaction_session_timeout', CAST(:idle AS TEXT), true) END
