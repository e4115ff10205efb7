-- Types of waiting jobs of a queue that no live session of it knows. Reads all waiting jobs.
-- in: queue
-- out: type, version, how many
-- locks: none: reads a snapshot
-- keeps: everything
SELECT type, schema_version, count(*) FROM belay.place p JOIN belay.job ON seq = p.job
WHERE p.queue = :queue AND p.line BETWEEN 0 AND 16
GROUP BY type, schema_version
HAVING NOT EXISTS (
  SELECT 1 FROM belay.session s JOIN belay.session_type t ON t.session = s.no
  WHERE s.queue = :queue AND s.stage = 0 AND t.type = job.type AND t.schema_version >= job.schema_version)
