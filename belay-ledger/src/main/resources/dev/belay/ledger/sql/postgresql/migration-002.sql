-- Jobs that wait to be moved to a broker, in the order in which they were written.
-- sending_at: when a relay was first about to push the job; tries: how often one was; claimed_*: which relay does so now, and until when it may.
-- own_window: how long the broker remembers the job's key, where the job says so itself.
-- problem: why it waits for a person.
CREATE TABLE belay_outbox (
    position BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    namespace TEXT NOT NULL,
    queue TEXT NOT NULL,
    id BYTEA NOT NULL,
    job BYTEA NOT NULL,
    added_at BIGINT NOT NULL,
    own_window BIGINT,
    sending_at BIGINT,
    tries INTEGER NOT NULL DEFAULT 0,
    claimed_by BYTEA,
    claimed_until BIGINT,
    problem TEXT,
    UNIQUE (namespace, queue, id)
);
CREATE INDEX belay_outbox_waiting ON belay_outbox (namespace, position) WHERE problem IS NULL;
