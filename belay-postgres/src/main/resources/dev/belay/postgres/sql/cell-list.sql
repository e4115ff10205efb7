-- The cells whose keys begin with something, in order.
-- in: namespace, prefix, length: of the prefix in characters, now, limit
-- out: key, version, value
-- locks: none: reads a snapshot
-- keeps: everything
SELECT key, version, value FROM belay.cell
WHERE namespace = :namespace AND key >= :prefix AND substr(key, 1, :length::integer) = :prefix AND (until IS NULL OR until > :now)
ORDER BY key LIMIT :limit
