-- Records of jobs: their heads, and the places where they stand.
-- keys: heads scheduled unknown finished kept dead late fragile suspects expiring groups refused progress
local STATE_NAME = {n0='SCHEDULED', n1='READY', n2='RUNNING', n3='SUCCEEDED', n4='DEAD', n5='CANCELLED'}
local function state_name(line) return STATE_NAME[state_of(line)] end

-- The body of a head: an array whose further elements, written by a newer version, are kept.
local B = {encoding=1, fingerprint=2, max_attempts=3, max_crashes=4, failures=5, crashes=6, steps=7, deliveries=8,
  snoozes=9, releases=10, replays=11, token=12, lifetime=13, key=14, backoff=15, retention=16, timeout=17, tags=18,
  extras=19, reason=20, finished=21, unknown=22, last_token=23, last_session=24, last_outcome=25, error_class=26,
  error_message=27, error_stack=28, error_fingerprint=29, progress=30, history=31, priority=32,
  -- only where they are not the default
  window=33, dedup=34}

-- A body without anything: of a record that can't be read.
local function nobody()
  local b = {}
  for i = 1, 32 do b[i] = false end
  b[B.encoding], b[B.fingerprint], b[B.tags], b[B.extras] = 'unknown', string.char(1) .. string.rep('\0', 32), '', ''
  b[B.max_attempts], b[B.max_crashes], b[B.priority], b[B.token], b[B.history] = 1, 1, 2, 0, 0
  for _, i in ipairs({B.failures, B.crashes, B.steps, B.deliveries, B.snoozes, B.releases, B.replays}) do b[i] = 0 end
  return b
end

-- line: where the job was met, for a head that does not even say that; place: 1 a list, 2 a sorted set.
local function parse(id, head, line, seq)
  local j = {id=id, raw=head}
  local body, length = '', -1
  if #head >= HEAD_LENGTH + 2 then
    j.format, j.line, j.place, j.flags, j.seq, j.at, j.created, j.run, j.expires, j.size, j.version, length =
      struct.unpack(HEAD, head)
    local named = string.byte(head, HEAD_LENGTH + 1)
    j.type = string.sub(head, HEAD_LENGTH + 2, HEAD_LENGTH + 1 + named)
    body = string.sub(head, HEAD_LENGTH + 2 + named)
  end
  if j.format and j.format > FORMAT then
    j.newer, j.b = true, nobody()
  else
    local plainly = j.flags and math.floor(j.flags / PLAINLY) % 2 == 1
    local ok, b = pcall(cmsgpack.unpack, plainly and string.sub(body, 1, -1 - PLAIN_END) or body)
    if j.format == FORMAT and #body == length + (plainly and PLAIN_END or 0) and ok and type(b) == 'table' and state_of(j.line) then
      j.b = b
      if plainly then
        -- It ended with a plain success, which only added the token and the session.
        b[B.token], b[B.last_session], b[B.last_outcome] = struct.unpack('>I8', body, length + 1), string.sub(body, -16), 'complete'
        b[B.last_token], b[B.deliveries], b[B.finished] = b[B.token], b[B.deliveries] + 1, j.at
      end
    else
      j.corrupt, j.b = true, nobody()
      if not j.seq or not state_of(j.line) or not string.match(j.type, '^[a-z0-9][a-z0-9._-]*$') then
        j.line, j.place, j.flags, j.seq, j.at, j.created, j.run, j.expires, j.size, j.version, j.type =
          line or DEAD, 2, 0, seq or 0, now, now, now, 0, 0, 1, 'unknown'
      end
    end
  end
  j.from_line, j.from_place, j.from_expires = j.line, j.place, j.expires
  j.refused = j.b[B.unknown] and true or false
  return j
end

local function load(id, line, seq)
  local head = call('HGET', K.heads, id)
  return head and parse(id, head, line, seq) or nil
end

local function write(j)
  if j.newer then
    -- A newer version's: nothing but where it stands is changed.
    call('HSET', K.heads, j.id, struct.pack('>BBBBI8I8', j.format, j.line, j.place, j.flags, j.seq, j.at)
      .. string.sub(j.raw, 21))
    return
  end
  local body = cmsgpack.pack(j.b)
  j.flags = (j.b[B.key] and KEYED or 0) + (j.b[B.retention] and OWN or 0) + (j.b[B.history] > 0 and NOTED or 0)
    + (j.b[B.unknown] and MARKED or 0)
  call('HSET', K.heads, j.id, struct.pack(HEAD, FORMAT, j.line, j.place, j.flags, j.seq, j.at, j.created, j.run,
    j.expires, j.size, j.version, #body) .. string.char(#j.type) .. j.type .. body)
end

-- What a job is called where it stands.
local function member(j) return u64(j.seq) .. j.id end
local SETS = {[15]=K.scheduled, [16]=K.unknown, [20]=K.finished, [21]=K.finished, [22]=K.kept, [23]=K.kept, [24]=K.dead}
local function set_of(line)
  if line >= 15 then return SETS[line] end
  return line < 5 and K.late or line < 10 and K.fragile or K.suspects
end
local function score(line, at) return line < 15 and (line % 5) * BAND + at or at end

local function is_waiting(line) return line <= 16 end
local function is_final(line) return line >= 20 end
local function is_refused(j, line) return j.b[B.unknown] and not is_final(line) end

-- Takes the job from where it stood when it was read; in flight it stands nowhere.
local function leave(j)
  if j.held then return end
  if j.from_place == 2 then call('ZREM', set_of(j.from_line), member(j))
  elseif j.from_place == 1 and not j.consumed then meta.stale = (meta.stale or 0) + 1 end -- its entry stays in the list
  if is_waiting(j.from_line) then
    count_kind(j.type, j.version, -1)
    if j.from_expires > 0 then call('ZREM', K.expiring, member(j)) end
  end
end

local function group_of(j) return j.type .. '\0' .. (j.b[B.error_fingerprint] or '') end
local function enter_dead(j)
  local f = group_of(j)
  local found = call('HGET', K.groups, f)
  local g = found and cmsgpack.unpack(found) or {0, now, 0}
  g[1] = g[1] + 1
  if j.at >= g[3] then
    g[3], g[4], g[5], g[6] = j.at, j.b[B.reason], j.b[B.error_class], j.b[B.error_message]
  end
  call('HSET', K.groups, f, cmsgpack.pack(g))
  meta.db = (meta.db or 0) + j.size
end
local function leave_dead(j)
  local f = group_of(j)
  local found = call('HGET', K.groups, f)
  if found then
    local g = cmsgpack.unpack(found); g[1] = g[1] - 1
    call('HSET', K.groups, f, cmsgpack.pack(g))
  end
  meta.db = (meta.db or 0) - j.size
end

-- Writes the job and gives it its place: the end of every move but those into flight.
local function settle_down(j)
  leave(j)
  count_state(j.held and 17 or j.from_line, -1)
  count_state(j.line, 1)
  j.place = 2
  call('ZADD', set_of(j.line), score(j.line, j.at), member(j))
  if is_waiting(j.line) then
    count_kind(j.type, j.version, 1)
    if j.expires > 0 then call('ZADD', K.expiring, j.expires, member(j)) end
  end
  if is_refused(j, j.line) then call('HSET', K.refused, j.id, j.type .. '\0' .. j.version)
  elseif j.refused then call('HDEL', K.refused, j.id) end
  if j.line < 15 then woken = woken + 1 end
  if j.held then
    call('HDEL', j.held.key, j.id)
    local told = call('HGET', K.progress, j.id)
    if told then call('HDEL', K.progress, j.id); if not j.progressed then j.b[B.progress] = told end end
  end
  write(j)
  j.held, j.consumed, j.from_line, j.from_place, j.from_expires = nil, nil, j.line, 2, j.expires
end

-- A running job with what its session holds of it: its head is of before the lease.
local function load_held(id, key, hold, worker, session)
  local j = load(id, 17)
  if not j then return nil end
  local token, leased, begun = struct.unpack(HOLD, hold)
  j.held = {key=key, token=token, leased=leased, begun=begun, worker=worker, session=session}
  if not j.corrupt and not j.newer then
    j.b[B.token] = token
    j.b[B.deliveries] = j.b[B.deliveries] + 1
  end
  j.refused = j.b[B.unknown] and true or false
  return j
end

