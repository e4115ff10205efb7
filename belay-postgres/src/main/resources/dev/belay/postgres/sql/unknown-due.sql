-- Makes jobs due now whose type somebody knows now.
-- in: queue, type, schemaVersion: up to it, now
-- out: how many
-- locks: their places, until the end of the transaction; leaves out what others have locked
-- keeps: jobs of other types; one place a job
WITH mine AS (
  SELECT p.job, p.at FROM belay.place p
  WHERE p.queue = :queue AND p.line = 16 AND EXISTS (
    SELECT 1 FROM belay.job j WHERE j.seq = p.job AND j.type = :type AND j.schema_version <= :schemaVersion)
  FOR UPDATE SKIP LOCKED
), taken AS (
  DELETE FROM belay.place p USING mine m WHERE p.queue = :queue AND p.line = 16 AND p.at = m.at AND p.job = m.job
), placed AS (
  INSERT INTO belay.place (queue, line, at, job) SELECT :queue, 15, :now, job FROM mine
)
UPDATE belay.job SET line = 15, at = :now, run_at = :now FROM mine WHERE seq = mine.job
