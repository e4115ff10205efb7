-- Writes a cell.
-- in: namespace, key, version, value, until
-- out: nothing
-- locks: the write lock of the transaction around it
-- keeps: one row a key
INSERT INTO cell (namespace, key, version, value, until) VALUES (:namespace, :key, :version, :value, :until)
ON CONFLICT (namespace, key) DO UPDATE SET version = excluded.version, value = excluded.value, until = excluded.until
