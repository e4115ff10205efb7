-- The whole structure of a store. Times are epoch milliseconds of the server's clock, ids of jobs, sessions and clients the
-- 16 bytes of their UUIDs. Names of queues are small numbers everywhere but in the audit log, and a queue belongs to one
-- namespace: so two namespaces in one schema share nothing. Texts are compared by their bytes.

CREATE SEQUENCE belay.job_number INCREMENT BY 1000;   -- a block of numbers for rows of jobs
CREATE SEQUENCE belay.token_number;                   -- fencing tokens of all queues

CREATE TABLE belay.store (
  id uuid NOT NULL DEFAULT gen_random_uuid()
);
INSERT INTO belay.store DEFAULT VALUES;

CREATE TABLE belay.namespace (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text COLLATE "C" NOT NULL UNIQUE,
  reap_interval bigint NOT NULL,
  reap_grace bigint NOT NULL,
  dedup_window bigint NOT NULL,
  unknown_type_limit bigint NOT NULL,
  audit_retention bigint NOT NULL,
  max_payload_bytes bigint NOT NULL,
  last_reap_at bigint,                       -- when somebody last looked at the sessions
  cell_version bigint NOT NULL DEFAULT 0     -- grows with each change of a cell, through removals too
) WITH (fillfactor = 50);

CREATE TABLE belay.queue (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  namespace bigint NOT NULL,
  name text COLLATE "C" NOT NULL,
  known integer NOT NULL DEFAULT 1,          -- 0 once removed: its keys outlive it
  paused integer NOT NULL DEFAULT 0,
  keep_finished bigint NOT NULL,
  keep_finished_count integer NOT NULL,
  keep_dead bigint,
  keep_dead_count integer,
  keep_dead_bytes bigint,
  scheduled bigint NOT NULL DEFAULT 0,       -- how many jobs are in each state, without what is in queue_change
  ready bigint NOT NULL DEFAULT 0,
  running bigint NOT NULL DEFAULT 0,
  succeeded bigint NOT NULL DEFAULT 0,
  dead bigint NOT NULL DEFAULT 0,
  cancelled bigint NOT NULL DEFAULT 0,
  dead_bytes bigint NOT NULL DEFAULT 0,      -- payload bytes of dead letters
  last_promotion_at bigint,
  unknown_window_at bigint,                  -- since when unknown_promoted counts; one second long
  unknown_promoted integer NOT NULL DEFAULT 0,
  UNIQUE (namespace, name)
) WITH (fillfactor = 50);

-- Changes to the counts of a queue, one row a transaction: so that no transaction waits for another to count.
CREATE TABLE belay.queue_change (
  queue bigint NOT NULL,
  scheduled bigint NOT NULL,
  ready bigint NOT NULL,
  running bigint NOT NULL,
  succeeded bigint NOT NULL,
  dead bigint NOT NULL,
  cancelled bigint NOT NULL,
  dead_bytes bigint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

CREATE TABLE belay.session (
  no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id bytea NOT NULL UNIQUE,
  queue bigint NOT NULL,
  worker text NOT NULL,
  version text NOT NULL,
  slots integer NOT NULL,
  lease_duration bigint NOT NULL,
  registered_at bigint NOT NULL,
  deadline bigint NOT NULL,
  marked_at bigint,                          -- when a reaper saw it past its deadline
  stage integer NOT NULL DEFAULT 0,          -- 0 live, 1 ended and being emptied, 2 gone: only its id is remembered
  fence bigint NOT NULL DEFAULT 0,           -- lease calls up to this number are refused
  newest_command bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
CREATE INDEX session_queue ON belay.session (queue, stage);

-- The newest lease call of each session: a row of its own for each call, as in client_call.
CREATE TABLE belay.session_call (
  session bigint NOT NULL,
  number bigint NOT NULL,
  PRIMARY KEY (session, number)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

CREATE TABLE belay.session_type (
  session bigint NOT NULL,
  type text COLLATE "C" NOT NULL,
  schema_version integer NOT NULL,
  PRIMARY KEY (session, type)
);

CREATE TABLE belay.session_command (
  session bigint NOT NULL,
  number bigint NOT NULL,
  kind text NOT NULL,
  job bytea,
  token bigint,
  PRIMARY KEY (session, number)
);

-- One row a job, for its whole life. It is not touched while the job goes its usual way: a lease takes the job's place
-- away and puts it in flight, and the settle of a success removes it. So line, at, token and deliveries are those of
-- before the lease while the job is in flight. What only some jobs have is in the table more. A job is changed only by
-- whoever holds the lock on its place, or, in flight, on its row there.
CREATE TABLE belay.job (
  seq bigint PRIMARY KEY,                    -- createdAt * 2^20 + a number: acceptance order, nearly, and createdAt
  queue bigint NOT NULL,
  id bytea NOT NULL,
  type text COLLATE "C" NOT NULL,
  line integer NOT NULL,
  at bigint NOT NULL,
  priority integer NOT NULL,
  token bigint NOT NULL DEFAULT 0,
  format integer NOT NULL,
  encoding text NOT NULL,
  schema_version integer NOT NULL,
  fingerprint bytea NOT NULL,
  payload_size integer NOT NULL,
  run_at bigint NOT NULL,
  ready_at bigint,
  max_attempts integer NOT NULL,
  max_crashes integer NOT NULL,
  deliveries integer NOT NULL DEFAULT 0,
  more integer NOT NULL,                     -- 1 where the job has a row in the table more
  last_token bigint,                         -- the last settle: token, session, outcome
  last_session bytea,
  last_outcome text,
  payload bytea                              -- null where it is large: then it is in the table payload
) WITH (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000,
  autovacuum_analyze_scale_factor = 0.05);
ALTER TABLE belay.job ALTER COLUMN payload SET STORAGE EXTERNAL;
CREATE UNIQUE INDEX job_id ON belay.job (queue, id);

-- What only some jobs have: options that are not the default, and the story of those that did not go the usual way.
CREATE TABLE belay.more (
  job bigint PRIMARY KEY,
  queue bigint NOT NULL,
  expires_at bigint,
  lifetime bigint,                           -- from acceptance to expiry: for the new expiry of a replay
  timer bigint,                              -- when the pruner has to look: expiry while waiting, own retention once final
  unknown_since bigint,
  failures integer NOT NULL DEFAULT 0,
  crashes integer NOT NULL DEFAULT 0,
  steps_taken integer NOT NULL DEFAULT 0,
  snoozes integer NOT NULL DEFAULT 0,
  releases integer NOT NULL DEFAULT 0,
  replays integer NOT NULL DEFAULT 0,
  history_count integer NOT NULL DEFAULT 0,
  key text COLLATE "C",                      -- null where it is the id
  timeout bigint,
  backoff text,                              -- null for EXPONENTIAL:1000:2.0:3600000:full
  retention bigint,
  group_key text,
  tags text,                                 -- a JSON array of text
  headers text,                              -- a JSON object of text
  parent bytea,
  replaces bytea,
  reason text,
  error_class text,                          -- the last failure
  error_fingerprint text,
  error_message text,
  error_stack text,
  progress text,
  result bytea,
  dedup_window bigint,                       -- how long its key is remembered; null for the namespace's
  dedup_mode integer NOT NULL DEFAULT 0      -- 1 replaces what waits, 2 counts only while it waits, 3 both
) WITH (fillfactor = 80);
CREATE INDEX more_timer ON belay.more (queue, timer) WHERE timer IS NOT NULL;
CREATE INDEX more_refused ON belay.more (queue) WHERE unknown_since IS NOT NULL AND reason IS NULL;
CREATE INDEX more_key ON belay.more (key) WHERE key IS NOT NULL;

-- Where each job stands that is not in flight: in exactly one line, at exactly one place, the same as in its row. Narrow:
-- it is all that a look for work reads.
--   0..4   READY, by priority              at = when it became ready
--   5..9   READY, maxCrashes = 1           at = when it became ready
--   10..14 READY, suspect                  at = when it became ready
--   15     SCHEDULED                       at = when it is due
--   16     SCHEDULED, of an unknown type   at = when it is due
--   20, 21 SUCCEEDED, CANCELLED            at = when it became final
--   22, 23 the same, kept by their own retention
--   24     DEAD                            at = when it became final
CREATE TABLE belay.place (
  queue bigint NOT NULL,
  line integer NOT NULL,
  at bigint NOT NULL,
  job bigint NOT NULL,
  PRIMARY KEY (queue, line, at, job)
) WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0);

-- The jobs in flight (line 17), each held by a session. Few rows, so what one session holds is found by reading all.
CREATE TABLE belay.flight (
  job bigint PRIMARY KEY,
  queue bigint NOT NULL,
  session bigint NOT NULL,
  token bigint NOT NULL,
  leased_at bigint NOT NULL,
  begun_at bigint
) WITH (fillfactor = 90, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
  autovacuum_vacuum_cost_delay = 0);

-- Payloads too large for the job's row, which is written anew with each change of state.
CREATE TABLE belay.payload (
  job bigint PRIMARY KEY,
  bytes bytea NOT NULL
);
ALTER TABLE belay.payload ALTER COLUMN bytes SET STORAGE EXTERNAL;

CREATE TABLE belay.history (
  job bigint NOT NULL,
  n integer NOT NULL,
  at bigint NOT NULL,
  kind text NOT NULL,
  attempt integer NOT NULL,
  token bigint NOT NULL,
  worker text,
  by_who text,
  by_why text,
  detail text,
  error_class text,
  error_fingerprint text,
  error_message text,
  error_stack text,
  size bigint NOT NULL,                      -- of its texts, in UTF-8 bytes
  PRIMARY KEY (job, n)
);

-- Explicit keys that are taken: while their job exists, and at least for the dedup window.
CREATE TABLE belay.dedup (
  queue bigint NOT NULL,
  type text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  holder bytea NOT NULL,
  fingerprint bytea NOT NULL,
  since bigint NOT NULL,
  orphan integer NOT NULL DEFAULT 0,         -- 1 once its job is gone, 2 where it then has a window of its own
  own_window bigint,                         -- null for the namespace's; 0 where it counts only while it waits
  only_waiting integer NOT NULL DEFAULT 0,
  PRIMARY KEY (queue, type, key)
);
CREATE INDEX dedup_orphan ON belay.dedup (queue, since) WHERE orphan = 1;
CREATE INDEX dedup_orphan_own ON belay.dedup (queue, (since + own_window)) WHERE orphan = 2;

-- The newest numbered enqueue of each client, with its answers: a row of its own for each call. One that were updated by
-- each call would drag all its old versions along while somebody holds a snapshot open.
CREATE TABLE belay.client_call (
  client bytea NOT NULL,
  queue bigint NOT NULL,
  number bigint NOT NULL,
  at bigint NOT NULL,
  verdicts bytea NOT NULL,
  PRIMARY KEY (client, queue, number)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

CREATE TABLE belay.replaced (
  queue bigint NOT NULL,
  id bytea NOT NULL,
  successor bytea NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (queue, id)
);
CREATE INDEX replaced_at ON belay.replaced (queue, at);

CREATE TABLE belay.dead_group (
  queue bigint NOT NULL,
  type text COLLATE "C" NOT NULL,
  fingerprint text COLLATE "C" NOT NULL,     -- empty for those that died without an error
  reason text NOT NULL,
  error_class text,
  message text,
  count bigint NOT NULL,
  first_seen bigint NOT NULL,
  last_seen bigint NOT NULL,
  PRIMARY KEY (queue, type, fingerprint)
) WITH (fillfactor = 50);

-- Types that a worker refused: for how long nobody has known them while somebody served the queue.
CREATE TABLE belay.unknown_type (
  queue bigint NOT NULL,
  type text COLLATE "C" NOT NULL,
  schema_version integer NOT NULL,
  counted bigint NOT NULL,
  PRIMARY KEY (queue, type, schema_version)
);

-- Types that are counted by name in a queue: the first 500.
CREATE TABLE belay.counted_type (
  queue bigint NOT NULL,
  type text COLLATE "C" NOT NULL,
  PRIMARY KEY (queue, type)
);

-- Events per slice of one minute, without what is in event_change; slice -1 holds the sums of all time.
CREATE TABLE belay.event_count (
  queue bigint NOT NULL,
  slice bigint NOT NULL,
  type text COLLATE "C" NOT NULL,
  event text NOT NULL,
  n bigint NOT NULL,
  PRIMARY KEY (queue, slice, type, event)
);

CREATE TABLE belay.event_change (
  queue bigint NOT NULL,
  slice bigint NOT NULL,
  type text COLLATE "C" NOT NULL,
  event text NOT NULL,
  n bigint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

CREATE TABLE belay.times (
  queue bigint NOT NULL,
  slice bigint NOT NULL,
  type text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  histogram bytea NOT NULL,
  PRIMARY KEY (queue, slice, type, kind)
);

CREATE TABLE belay.audit (
  no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  namespace bigint NOT NULL,
  at bigint NOT NULL,
  action text NOT NULL,
  queue text,
  job bytea,
  by_who text NOT NULL,
  by_why text,
  detail text
);
CREATE INDEX audit_namespace ON belay.audit (namespace, no);
CREATE INDEX audit_at ON belay.audit (namespace, at);
CREATE INDEX audit_job ON belay.audit (namespace, job, no) WHERE job IS NOT NULL;

CREATE TABLE belay.cell (
  namespace bigint NOT NULL,
  key text COLLATE "C" NOT NULL,
  version bigint NOT NULL,
  value bytea NOT NULL,
  until bigint,
  PRIMARY KEY (namespace, key)
);
CREATE INDEX cell_until ON belay.cell (namespace, until) WHERE until IS NOT NULL;
