-- Notes that a broker opened the namespace: a commit that tells others that they share the file.
-- in: name, now
-- out: nothing
-- locks: the write lock of the transaction around it
-- keeps: everything else
UPDATE namespace SET opened_at = :now WHERE name = :name
