-- Draws tokens.
-- in: n
-- out: one row a token
-- locks: none
-- keeps: tokens grow: drawn once the jobs are locked, they are above all that were drawn for these jobs
SELECT nextval('belay.token_number') FROM generate_series(1, :n)
