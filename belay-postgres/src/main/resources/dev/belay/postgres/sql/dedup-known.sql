-- Which of some keys are noted, whether they still count or not.
-- in: queue; arrays of type, key
-- out: type, key
-- locks: none: the caller holds the locks on the keys
-- keeps: everything
SELECT noted.type, noted.key FROM unnest(:type::text[], :key::text[]) AS t (type, key)
CROSS JOIN LATERAL (
  SELECT d.type, d.key FROM belay.dedup d WHERE d.queue = :queue AND d.type = t.type AND d.key = t.key LIMIT 1) noted
