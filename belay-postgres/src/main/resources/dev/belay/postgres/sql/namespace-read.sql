-- The settings of a namespace, and when somebody last looked at its sessions.
-- in: namespace
-- out: one row
-- locks: none: reads a snapshot
-- keeps: everything
SELECT reap_interval, reap_grace, dedup_window, unknown_type_limit, audit_retention, max_payload_bytes, last_reap_at
FROM belay.namespace WHERE id = :namespace
