-- Changes the settings of a namespace.
-- in: namespace; its new settings
-- out: nothing
-- locks: the write lock of the transaction around it
-- keeps: everything else of it
UPDATE namespace SET reap_interval = :reapInterval, reap_grace = :reapGrace, dedup_window = :dedupWindow,
  unknown_type_limit = :unknownTypeLimit, audit_retention = :auditRetention, max_payload_bytes = :maxPayloadBytes
WHERE id = :namespace
