-- Begins the work of a transaction that changes the store: it waits for no lock for long, and does not hold its own
--   for long where its client is frozen. Its statements find a few rows by an index, and are planned so whatever the
--   server last counted: a table that was empty when autovacuum looked holds thousands of rows a second later, and a
--   plan that reads all of it would be kept until autovacuum looks again.
-- in: offset: milliseconds to add to the clock, 0 outside of tests; lockTimeout, idleTimeout: milliseconds, as text
-- out: the time in epoch milliseconds
-- locks: none
-- keeps: the settings of the session: these are of the transaction alone
SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint + :offset,
  set_config('lock_timeout', :lockTimeout, true), set_config('idle_in_transaction_session_timeout', :idleTimeout, true),
  set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
  set_config('enable_mergejoin', 'off', true), set_config('plan_cache_mode', 'force_generic_plan', true),
  set_config('jit', 'off', true)
