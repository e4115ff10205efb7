-- A queue by name, known or not, without its counts. It is not removed before the end of the transaction.
-- in: namespace, name
-- out: no row or one
-- locks: a shared advisory lock on the queue, until the end of the transaction: who removes it locks it alone
-- keeps: everything
{{queue-row}}
WHERE namespace = :namespace AND name = :name
