-- The whole structure of a store. Times are epoch milliseconds of the broker's clock, ids of jobs, sessions and clients
-- the 16 bytes of their UUIDs. Names of queues are small numbers everywhere but in the audit log, and a queue belongs to
-- one namespace: so two namespaces in one file share nothing.

CREATE TABLE namespace (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  reap_interval INTEGER NOT NULL,
  reap_grace INTEGER NOT NULL,
  dedup_window INTEGER NOT NULL,
  unknown_type_limit INTEGER NOT NULL,
  audit_retention INTEGER NOT NULL,
  max_payload_bytes INTEGER NOT NULL,
  last_reap_at INTEGER,                      -- when somebody last looked at the sessions
  cell_version INTEGER NOT NULL DEFAULT 0,   -- grows with each change of a cell, through removals too
  opened_at INTEGER NOT NULL DEFAULT 0       -- when a broker last opened it: tells others that they share the file
) STRICT;

CREATE TABLE queue (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  namespace INTEGER NOT NULL,
  name TEXT NOT NULL,
  known INTEGER NOT NULL DEFAULT 1,          -- 0 once removed: its tokens and keys outlive it
  paused INTEGER NOT NULL DEFAULT 0,
  keep_finished INTEGER NOT NULL,
  keep_finished_count INTEGER NOT NULL,
  keep_dead INTEGER,
  keep_dead_count INTEGER,
  keep_dead_bytes INTEGER,
  token INTEGER NOT NULL DEFAULT 0,          -- the newest fencing token; never falls
  scheduled INTEGER NOT NULL DEFAULT 0,      -- how many jobs are in each state
  ready INTEGER NOT NULL DEFAULT 0,
  running INTEGER NOT NULL DEFAULT 0,
  succeeded INTEGER NOT NULL DEFAULT 0,
  dead INTEGER NOT NULL DEFAULT 0,
  cancelled INTEGER NOT NULL DEFAULT 0,
  dead_bytes INTEGER NOT NULL DEFAULT 0,     -- payload bytes of dead letters
  wake INTEGER NOT NULL DEFAULT 0,           -- grows when jobs became ready or the queue was resumed
  last_promotion_at INTEGER,
  unknown_window_at INTEGER,                 -- since when unknown_promoted counts; one second long
  unknown_promoted INTEGER NOT NULL DEFAULT 0,
  UNIQUE (namespace, name)
) STRICT;

CREATE TABLE session (
  no INTEGER PRIMARY KEY AUTOINCREMENT,
  id BLOB NOT NULL UNIQUE,
  queue INTEGER NOT NULL,
  worker TEXT NOT NULL,
  version TEXT NOT NULL,
  slots INTEGER NOT NULL,
  lease_duration INTEGER NOT NULL,
  registered_at INTEGER NOT NULL,
  deadline INTEGER NOT NULL,
  marked_at INTEGER,                         -- when a reaper saw it past its deadline
  stage INTEGER NOT NULL DEFAULT 0,          -- 0 live, 1 ended and being emptied, 2 gone: only its id is remembered
  fence INTEGER NOT NULL DEFAULT 0,          -- lease calls up to this number are refused
  newest_call INTEGER NOT NULL DEFAULT 0,
  newest_command INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX session_queue ON session (queue, stage);

CREATE TABLE session_type (
  session INTEGER NOT NULL,
  type TEXT NOT NULL,
  schema_version INTEGER NOT NULL,
  PRIMARY KEY (session, type)
) STRICT, WITHOUT ROWID;

CREATE TABLE session_command (
  session INTEGER NOT NULL,
  number INTEGER NOT NULL,
  kind TEXT NOT NULL,
  job BLOB,
  token INTEGER,
  PRIMARY KEY (session, number)
) STRICT, WITHOUT ROWID;

-- One row a job, for its whole life. It is not touched while the job goes its usual way: a lease takes the job's place
-- away and puts it in flight, and the settle of a success removes it. So line, at, token and deliveries are those of
-- before the lease while the job is in flight. Narrow: what only some jobs have is in the table more.
CREATE TABLE job (
  seq INTEGER PRIMARY KEY,                   -- createdAt * 2^20 + a number: acceptance order, and createdAt
  queue INTEGER NOT NULL,
  id BLOB NOT NULL,
  type TEXT NOT NULL,
  line INTEGER NOT NULL,
  at INTEGER NOT NULL,
  priority INTEGER NOT NULL,
  token INTEGER NOT NULL DEFAULT 0,
  format INTEGER NOT NULL,
  encoding TEXT NOT NULL,
  schema_version INTEGER NOT NULL,
  fingerprint BLOB NOT NULL,
  payload_size INTEGER NOT NULL,
  run_at INTEGER NOT NULL,
  ready_at INTEGER,
  max_attempts INTEGER NOT NULL,
  max_crashes INTEGER NOT NULL,
  deliveries INTEGER NOT NULL DEFAULT 0,
  more INTEGER NOT NULL,                     -- 1 where the job has a row in the table more
  last_token INTEGER,                        -- the last settle: token, session, outcome
  last_session BLOB,
  last_outcome TEXT,
  payload BLOB                               -- null where it is large: then it is in the table payload
) STRICT;
CREATE UNIQUE INDEX job_id ON job (queue, id);

-- What only some jobs have: options that are not the default, and the story of those that did not go the usual way.
CREATE TABLE more (
  job INTEGER PRIMARY KEY,
  queue INTEGER NOT NULL,
  expires_at INTEGER,
  lifetime INTEGER,                          -- from acceptance to expiry: for the new expiry of a replay
  timer INTEGER,                             -- when the pruner has to look: expiry while waiting, own retention once final
  unknown_since INTEGER,
  failures INTEGER NOT NULL DEFAULT 0,
  crashes INTEGER NOT NULL DEFAULT 0,
  steps_taken INTEGER NOT NULL DEFAULT 0,
  snoozes INTEGER NOT NULL DEFAULT 0,
  releases INTEGER NOT NULL DEFAULT 0,
  replays INTEGER NOT NULL DEFAULT 0,
  history_count INTEGER NOT NULL DEFAULT 0,
  key TEXT,                                  -- null where it is the id
  timeout INTEGER,
  backoff TEXT,                              -- null for EXPONENTIAL:1000:2.0:3600000:full
  retention INTEGER,
  group_key TEXT,
  tags TEXT,                                 -- a JSON array of text
  headers TEXT,                              -- a JSON object of text
  parent BLOB,
  replaces BLOB,
  reason TEXT,
  error_class TEXT,                          -- the last failure
  error_fingerprint TEXT,
  error_message TEXT,
  error_stack TEXT,
  progress TEXT,
  result BLOB
) STRICT;
CREATE INDEX more_timer ON more (queue, timer) WHERE timer IS NOT NULL;
CREATE INDEX more_refused ON more (queue) WHERE unknown_since IS NOT NULL AND reason IS NULL;
CREATE INDEX more_key ON more (key) WHERE key IS NOT NULL;

-- Where each job stands that is not in flight: in exactly one line, at exactly one place, the same as in its row.
--   0..4   READY, by priority              at = when it became ready
--   5..9   READY, maxCrashes = 1           at = when it became ready
--   10..14 READY, suspect                  at = when it became ready
--   15     SCHEDULED                       at = when it is due
--   16     SCHEDULED, of an unknown type   at = when it is due
--   20, 21 SUCCEEDED, CANCELLED            at = when it became final
--   22, 23 the same, kept by their own retention
--   24     DEAD                            at = when it became final
CREATE TABLE place (
  queue INTEGER NOT NULL,
  line INTEGER NOT NULL,
  at INTEGER NOT NULL,
  job INTEGER NOT NULL,
  PRIMARY KEY (queue, line, at, job)
) STRICT, WITHOUT ROWID;

-- The jobs in flight (line 17), each held by a session. Few rows, so what one session holds is found by reading all.
CREATE TABLE flight (
  job INTEGER PRIMARY KEY,
  queue INTEGER NOT NULL,
  session INTEGER NOT NULL,
  token INTEGER NOT NULL,
  leased_at INTEGER NOT NULL,
  begun_at INTEGER
) STRICT;

-- Payloads too large for the job's row, which is written anew with each change of state.
CREATE TABLE payload (
  job INTEGER PRIMARY KEY,
  bytes BLOB NOT NULL
) STRICT;

CREATE TABLE history (
  job INTEGER NOT NULL,
  n INTEGER NOT NULL,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  token INTEGER NOT NULL,
  worker TEXT,
  by_who TEXT,
  by_why TEXT,
  detail TEXT,
  error_class TEXT,
  error_fingerprint TEXT,
  error_message TEXT,
  error_stack TEXT,
  size INTEGER NOT NULL,                     -- of its texts, in UTF-8 bytes
  PRIMARY KEY (job, n)
) STRICT;

-- Explicit keys that are taken: while their job exists, and at least for the dedup window.
CREATE TABLE dedup (
  queue INTEGER NOT NULL,
  type TEXT NOT NULL,
  key TEXT NOT NULL,
  holder BLOB NOT NULL,
  fingerprint BLOB NOT NULL,
  since INTEGER NOT NULL,
  orphan INTEGER NOT NULL DEFAULT 0,         -- 1 once its job is gone
  PRIMARY KEY (queue, type, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX dedup_orphan ON dedup (queue, since) WHERE orphan = 1;

-- The newest numbered enqueue of each client, with its answers.
CREATE TABLE client_call (
  client BLOB NOT NULL,
  queue INTEGER NOT NULL,
  number INTEGER NOT NULL,
  at INTEGER NOT NULL,
  verdicts BLOB NOT NULL,
  PRIMARY KEY (client, queue)
) STRICT, WITHOUT ROWID;

CREATE TABLE replaced (
  queue INTEGER NOT NULL,
  id BLOB NOT NULL,
  successor BLOB NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (queue, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX replaced_at ON replaced (queue, at);

CREATE TABLE dead_group (
  queue INTEGER NOT NULL,
  type TEXT NOT NULL,
  fingerprint TEXT NOT NULL,                 -- empty for those that died without an error
  reason TEXT NOT NULL,
  error_class TEXT,
  message TEXT,
  count INTEGER NOT NULL,
  first_seen INTEGER NOT NULL,
  last_seen INTEGER NOT NULL,
  PRIMARY KEY (queue, type, fingerprint)
) STRICT, WITHOUT ROWID;

-- Types that a worker refused: for how long nobody has known them while somebody served the queue.
CREATE TABLE unknown_type (
  queue INTEGER NOT NULL,
  type TEXT NOT NULL,
  schema_version INTEGER NOT NULL,
  counted INTEGER NOT NULL,
  PRIMARY KEY (queue, type, schema_version)
) STRICT, WITHOUT ROWID;

-- Types that are counted by name in a queue: the first 500.
CREATE TABLE counted_type (
  queue INTEGER NOT NULL,
  type TEXT NOT NULL,
  PRIMARY KEY (queue, type)
) STRICT, WITHOUT ROWID;

-- Events per slice of one minute; slice -1 holds the sums of all time.
CREATE TABLE event_count (
  queue INTEGER NOT NULL,
  slice INTEGER NOT NULL,
  type TEXT NOT NULL,
  event TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (queue, slice, type, event)
) STRICT, WITHOUT ROWID;

CREATE TABLE times (
  queue INTEGER NOT NULL,
  slice INTEGER NOT NULL,
  type TEXT NOT NULL,
  kind TEXT NOT NULL,
  histogram BLOB NOT NULL,
  PRIMARY KEY (queue, slice, type, kind)
) STRICT, WITHOUT ROWID;

CREATE TABLE audit (
  no INTEGER PRIMARY KEY AUTOINCREMENT,
  namespace INTEGER NOT NULL,
  at INTEGER NOT NULL,
  action TEXT NOT NULL,
  queue TEXT,
  job BLOB,
  by_who TEXT NOT NULL,
  by_why TEXT,
  detail TEXT
) STRICT;
CREATE INDEX audit_namespace ON audit (namespace);
CREATE INDEX audit_at ON audit (namespace, at);
CREATE INDEX audit_job ON audit (namespace, job) WHERE job IS NOT NULL;

CREATE TABLE cell (
  namespace INTEGER NOT NULL,
  key TEXT NOT NULL,
  version INTEGER NOT NULL,
  value BLOB NOT NULL,
  until INTEGER,
  PRIMARY KEY (namespace, key)
) STRICT;
CREATE INDEX cell_until ON cell (namespace, until) WHERE until IS NOT NULL;
