-- Makes a namespace known.
-- in: name; the default settings
-- out: nothing
-- locks: the rows that it changes, until the end of the transaction
-- keeps: its settings, where it is known already
INSERT INTO belay.namespace
  (name, reap_interval, reap_grace, dedup_window, unknown_type_limit, audit_retention, max_payload_bytes)
VALUES (:name, :reapInterval, :reapGrace, :dedupWindow, :unknownTypeLimit, :auditRetention, :maxPayloadBytes)
ON CONFLICT (name) DO NOTHING
