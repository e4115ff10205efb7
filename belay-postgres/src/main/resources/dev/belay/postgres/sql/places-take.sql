-- Takes places that the transaction has locked.
-- in: row: where their rows are, an array
-- out: nothing
-- locks: the places, which the caller has locked, so that their rows stay where they are
-- keeps: other places
DELETE FROM belay.place WHERE ctid = ANY(:row::text[]::tid[])
