-- What becomes of jobs.
-- keys: histories keys orphans commands corrupt progress refused heads payloads results audit
local HISTORY_ENTRIES, HISTORY_BYTES = 20, 65536
local function size_of(e)
  local size = 0
  for i = 5, 12 do if e[i] then size = size + #e[i] end end
  return size
end
local function note(j, kind, who, why, detail, err)
  local b, held = j.b, j.held
  b[B.history] = b[B.history] + 1
  local found = call('HGET', K.histories, j.id)
  local all = found and cmsgpack.unpack(found) or {}
  all[#all + 1] = {now, kind, b[B.failures] + 1, held and held.token or 0, held and held.worker or false,
    who or false, why or false, detail or false, err and err[1] or false, err and err[2] or false, err and err[3] or false,
    err and err[4] or false}
  while #all > HISTORY_ENTRIES do table.remove(all, 1) end
  local size = 0
  for _, e in ipairs(all) do size = size + size_of(e) end
  for _, e in ipairs(all) do
    if size <= HISTORY_BYTES then break end
    if e[11] then size = size - #e[11]; e[11] = '' end
  end
  while size > HISTORY_BYTES and #all > 1 do size = size - size_of(table.remove(all, 1)) end
  call('HSET', K.histories, j.id, cmsgpack.pack(all))
end

local deaths = {}
local function died(j, reason) deaths[#deaths + 1] = {j.id, j.type, reason} end

local function ready_line(j)
  local left = j.b[B.crashes] + 1 < j.b[B.max_crashes]
  return (left and 0 or j.b[B.crashes] >= 1 and 10 or 5) + j.b[B.priority]
end
local function ready(j, at) j.line, j.at = ready_line(j), at; settle_down(j) end
local function schedule(j, at)
  j.run, j.at = at, at
  j.line = j.b[B.unknown] and UNKNOWN or SCHEDULED
  settle_down(j)
end
local function after(j, delay)
  if delay > 0 then schedule(j, now + delay) else j.run = now; ready(j, now) end
end

local function finish(j, line, reason)
  j.b[B.reason], j.b[B.finished], j.line, j.at = reason or false, now, line, now
  if line ~= DEAD and j.b[B.retention] then j.line, j.at = line + 2, now + j.b[B.retention] end
  settle_down(j)
end

local function key_field(j) return j.type .. '\0' .. j.b[B.key] end
local function holds_key(j)
  if not j.b[B.key] then return nil end
  local f = key_field(j)
  local row = call('HGET', K.keys, f)
  if row and string.sub(row, 1, 16) == j.id and not call('ZSCORE', K.orphans, f) then return f, row end
end
local function free_key(j) local f = holds_key(j); if f then call('HDEL', K.keys, f) end end
-- Whether its key counts only while it waits.
local function counts_while_waiting(j) return (j.b[B.dedup] or 0) >= 2 end
-- Keys whose jobs are gone stand by when these were accepted; those with a window of their own, a band higher, by its end.
local function orphan_key(j)
  local f, row = holds_key(j)
  if not f then return end
  if counts_while_waiting(j) then call('HDEL', K.keys, f); return end
  local since, own = struct.unpack('>I8', row, 17), j.b[B.window]
  call('ZADD', K.orphans, own and BAND + since + own or since, f)
end
local function claim_key(type, key, id, fingerprint, since)
  local f = type .. '\0' .. key
  call('HSET', K.keys, f, id .. u64(since) .. fingerprint)
  call('ZREM', K.orphans, f)
end
-- Who holds a key: id, since, fingerprint. Whether it counts while its holder does not wait, the caller judges.
local function key_holder(type, key, window)
  local f = type .. '\0' .. key
  local row = call('HGET', K.keys, f)
  if not row then return nil end
  local since = struct.unpack('>I8', row, 17)
  local gone = tonumber(call('ZSCORE', K.orphans, f) or -1)
  if gone >= BAND and gone - BAND <= now or gone >= 0 and gone < BAND and since + window <= now then return nil end
  return string.sub(row, 1, 16), since, string.sub(row, 25)
end

local function tell(session, kind, id, token)
  local found = call('HGET', K.commands, session)
  local c = found and cmsgpack.unpack(found) or {0}
  c[1] = c[1] + 1
  c[#c + 1] = {c[1], kind, id or '', token or 0}
  call('HSET', K.commands, session, cmsgpack.pack(c))
end
local function revoke(j) if j.held then tell(j.held.session, 'LEASE_REVOKED', j.id, j.held.token) end end

local function bury(j, reason)
  local expired = reason == 'EXPIRED' and not j.held and is_waiting(j.from_line)
  note(j, expired and 'EXPIRED' or 'BURIED', nil, nil, reason)
  count_event(j.type, 'DEAD')
  finish(j, DEAD, reason)
  enter_dead(j)
end
local function expire(j) count_event(j.type, 'EXPIRED'); bury(j, 'EXPIRED'); died(j, 'EXPIRED') end
local function count_crash(j)
  note(j, 'CRASHED'); count_event(j.type, 'CRASHED'); j.b[B.crashes] = j.b[B.crashes] + 1
end
local function bury_as_lost(j) count_crash(j); bury(j, 'WORKER_LOST'); died(j, 'WORKER_LOST') end
local function give_back(j)
  count_event(j.type, 'RELEASED')
  j.b[B.releases] = j.b[B.releases] + 1
  ready(j, j.at)
end
local function at_most_once(j) return j.held.begun > 0 and j.b[B.max_crashes] == 1 end

-- Whether the record can't be read; if so, the job is a dead letter from now on, and its raw bytes are kept apart.
local function is_corrupt(j)
  if not j.corrupt then return false end
  call('HSETNX', K.corrupt, j.id, j.raw)
  j.corrupt = false
  if j.from_line == DEAD then
    leave_dead(j); j.b[B.reason], j.b[B.finished] = 'CORRUPT', j.at; settle_down(j); enter_dead(j)
  else
    if j.held then count_event(j.type, 'BURIED'); revoke(j) end
    bury(j, 'CORRUPT')
  end
  return true
end

-- Removes a job with all that belongs to it.
local function remove(j, event)
  count_event(j.type, event)
  orphan_key(j)
  if j.from_line == DEAD then leave_dead(j) end
  leave(j)
  count_state(j.held and 17 or j.from_line, -1)
  if j.held then call('HDEL', j.held.key, j.id); call('HDEL', K.progress, j.id) end
  if j.refused then call('HDEL', K.refused, j.id) end
  for _, key in ipairs({K.heads, K.payloads, K.histories, K.results, K.corrupt}) do call('HDEL', key, j.id) end
  unlist(j.seq)
end

local now_micros = time[1] * 1000000 + time[2] + ARGV[1] * 1000 -- tells entries of several queues apart
local function audit(action, id, who, why, detail)
  call('RPUSH', K.audit, cmsgpack.pack({now_micros, action, id or '', who, why or false, detail or false}))
end

