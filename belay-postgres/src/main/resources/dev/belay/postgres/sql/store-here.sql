-- Whether a store is in a database.
-- in: table: the name of one of its tables, with the schema
-- out: 1 or 0
-- locks: none
-- keeps: everything
SELECT (to_regclass(:table) IS NOT NULL)::integer
