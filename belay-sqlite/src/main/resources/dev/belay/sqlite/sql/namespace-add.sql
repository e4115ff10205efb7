-- Makes a namespace known.
-- in: name; the default settings
-- out: nothing
-- locks: the write lock of the transaction around it
-- keeps: its settings, where it is known already
INSERT INTO namespace
  (name, reap_interval, reap_grace, dedup_window, unknown_type_limit, audit_retention, max_payload_bytes)
VALUES (:name, :reapInterval, :reapGrace, :dedupWindow, :unknownTypeLimit, :auditRetention, :maxPayloadBytes)
ON CONFLICT (name) DO NOTHING
