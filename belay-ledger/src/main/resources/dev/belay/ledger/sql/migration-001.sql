-- Effects by the hash of (scope, key): the primary key decides every race.
-- version grows with each change of a row: who wants to change what it has read names it.
-- The owner is a delivery (all of its columns) or a caller (session and token); none where an attempt is over.
-- Types are those that PostgreSQL knows and SQLite takes.
CREATE TABLE belay_ledger (
    hash BYTEA NOT NULL PRIMARY KEY,
    scope TEXT NOT NULL,
    effect_key TEXT NOT NULL,
    state TEXT NOT NULL,
    version BIGINT NOT NULL,
    fingerprint BYTEA,
    at_most_once INTEGER NOT NULL,
    owner_store TEXT,
    owner_queue TEXT,
    owner_job BYTEA,
    owner_replays BIGINT,
    owner_session BYTEA,
    owner_token BIGINT,
    result BYTEA,
    encoding TEXT,
    error TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    unknown_at BIGINT,
    expires_at BIGINT
);
CREATE INDEX belay_ledger_expiry ON belay_ledger (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX belay_ledger_open ON belay_ledger (created_at, hash) WHERE state <> 'COMPLETED';
CREATE TABLE belay_ledger_session (
    id BYTEA NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    deadline BIGINT NOT NULL,
    marked_at BIGINT,
    looked_at BIGINT
);
CREATE TABLE belay_ledger_audit (
    at BIGINT NOT NULL,
    actor TEXT NOT NULL,
    action TEXT NOT NULL,
    scope TEXT NOT NULL,
    effect_key TEXT NOT NULL,
    reason TEXT NOT NULL
);
