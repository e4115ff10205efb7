-- Begins the work of a transaction that changes the store: it waits for no lock for long, and does not hold its own
--   for long where its client is frozen.
-- in: offset: milliseconds to add to the clock, 0 outside of tests; lockTimeout, idleTimeout: milliseconds, as text
-- out: the time in epoch milliseconds
-- locks: none
-- keeps: the settings of the session: these are of the transaction alone
SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint + :offset,
  set_config('lock_timeout', :lockTimeout, true), set_config('idle_in_transaction_session_timeout', :idleTimeout, true)
