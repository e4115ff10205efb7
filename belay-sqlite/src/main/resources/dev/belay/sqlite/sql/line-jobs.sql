-- The jobs of one line, in order, with their payloads unless those are large.
-- in: queue, line
-- out: one row a job; open as many as needed
-- locks: none: reads a snapshot
-- keeps: everything
SELECT {{job-columns}}, payload
FROM job INDEXED BY job_line WHERE queue = :queue AND line = :line ORDER BY at, seq
