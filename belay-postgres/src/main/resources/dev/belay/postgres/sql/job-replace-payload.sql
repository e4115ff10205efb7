-- Gives a job that waits another payload.
-- in: seq, encoding, schemaVersion, fingerprint, payloadSize, payload: null where it is large
-- out: one row changed
-- locks: the rows that it changes, until the end of the transaction
-- keeps: everything else
UPDATE belay.job SET encoding = :encoding, schema_version = :schemaVersion, fingerprint = :fingerprint,
  payload_size = :payloadSize, payload = :payload
WHERE seq = :seq
