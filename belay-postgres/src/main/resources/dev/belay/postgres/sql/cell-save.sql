-- Writes a cell.
-- in: namespace, key, version, value, until
-- out: nothing
-- locks: the rows that it changes, until the end of the transaction
-- keeps: one row a key
INSERT INTO belay.cell (namespace, key, version, value, until) VALUES (:namespace, :key, :version, :value, :until)
ON CONFLICT (namespace, key) DO UPDATE SET version = excluded.version, value = excluded.value, until = excluded.until
