-- Changes the settings of a namespace.
-- in: namespace; its new settings
-- out: nothing
-- locks: the rows that it changes, until the end of the transaction
-- keeps: everything else of it
UPDATE belay.namespace SET reap_interval = :reapInterval, reap_grace = :reapGrace, dedup_window = :dedupWindow,
  unknown_type_limit = :unknownTypeLimit, audit_retention = :auditRetention, max_payload_bytes = :maxPayloadBytes
WHERE id = :namespace
