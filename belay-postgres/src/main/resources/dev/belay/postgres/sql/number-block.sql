-- Draws a block of a thousand numbers for rows of jobs.
-- in: nothing
-- out: the first of them
-- locks: none
-- keeps: no number is drawn twice
SELECT nextval('belay.job_number')
