-- Gives accepted jobs their places.
-- in: first and last: their numbers
-- out: how many
-- locks: the write lock of the transaction around it
-- keeps: a job stands at one place
INSERT INTO place (queue, line, at, job) SELECT queue, line, at, seq FROM job WHERE seq BETWEEN :first AND :last
