-- Ends leases with an outcome.
-- keys: queue results heads outgoing refusals; then the in-flight sets of the sessions of the settlements; then, where all
--   sessions are named, those of all, in the order of their ids
-- arguments: dedup window in ms, unknown-type limit in ms, a packed array of settlements: {number of the key, session,
--   id, token, progress or false, outcome, its values…}; 1 where all sessions are named, as follow-ups with keys need it, then
--   their ids
-- answers: a verdict for each: {'stale'} or {'applied', state or '', reason or ''}; {'again'} where the sessions are others
-- invariant: a job is in flight or in line; only the newest token of a living hold changes anything
-- cost: O(settlements × log(jobs of the queue))
call('HDEL', K.queue, 'full') -- a write that a full server allows: so the rest passes
local window, limit = tonumber(ARGV[2]), tonumber(ARGV[3])
local all = cmsgpack.unpack(ARGV[4])
if ARGV[5] == '1' then
  local IDS = 6
  if not all_named(IDS) then return {'again'} end
  flights = named_flights()
end
local keep = tonumber(call('HGET', K.queue, 'keep') or KEEP)
local verdicts = {}

local function applied(j)
  return {'applied', state_name(j.line), j.line == DEAD and j.b[B.reason] or ''}
end

local function before(id, token, sid)
  local j = load(id)
  if j and j.b[B.last_token] == token and j.b[B.last_session] == sid then
    local now_is = applied(j)
    now_is[1] = 'again' -- its head does not say whether it runs again meanwhile
    for i = FIRST, #KEYS do
      if call('HEXISTS', KEYS[i], id) == 1 then now_is = {'applied', 'RUNNING', ''} end
    end
    return now_is
  end
  return {'stale'}
end

local outcomes = {}
function outcomes.complete(j, one)
  count_event(j.type, 'SUCCEEDED')
  local own = j.b[B.retention]
  j.b[B.unknown] = false
  if (own or keep) == 0 then
    j.line = SUCCEEDED
    remove(j, 'PRUNED'); j.gone = true
  else
    finish(j, SUCCEEDED)
    if one[7] then call('HSET', K.results, j.id, one[7]) end
  end
  for _, new in ipairs(one[8]) do
    local verdict = accept(new, window, call('HGET', K.heads, new[1]))
    if verdict[1] == 'conflict' then
      audit('follow-up-conflict', j.id, j.held_by, nil, one[10] .. ': its ' .. verdict[4] .. ' is taken')
    end
  end
  -- Those for other queues lie on other shards: kept here in the same step, and forwarded by whoever comes.
  for _, new in ipairs(one[9]) do call('HSET', K.outgoing, new[1][1], cmsgpack.pack({new[2], new[1], j.id, j.held_by})) end
end
local function failed(j, err)
  j.b[B.failures] = j.b[B.failures] + 1
  j.b[B.error_class], j.b[B.error_message], j.b[B.error_stack], j.b[B.error_fingerprint] = err[1], err[2], err[3], err[4]
end
function outcomes.retry(j, one)
  local delay, explicit, err = one[7], one[8], one[9]
  note(j, 'FAILED', nil, nil, one[10], err)
  count_event(j.type, 'FAILED')
  failed(j, err)
  j.b[B.steps] = j.b[B.steps] + (explicit and 0 or 1)
  j.b[B.unknown] = false
  if j.b[B.failures] >= j.b[B.max_attempts] then bury(j, 'ATTEMPTS_EXHAUSTED')
  elseif j.expires > 0 and j.expires <= now then bury(j, 'EXPIRED')
  else after(j, delay) end
end
function outcomes.bury(j, one)
  local err = one[8]
  if err then
    note(j, 'FAILED', nil, nil, nil, err)
    count_event(j.type, 'FAILED')
    failed(j, err)
  else count_event(j.type, 'BURIED') end
  bury(j, one[7])
end
function outcomes.release(j, one)
  if at_most_once(j) then bury_as_lost(j); return end
  if one[7] then note(j, 'INTERRUPTED') end
  give_back(j)
end
function outcomes.snooze(j, one)
  local delay, unknown = one[7], one[8]
  local f = j.type .. '\0' .. j.version
  if not unknown then j.b[B.unknown] = false
  else
    if not j.b[B.unknown] then j.b[B.unknown] = now end
    call('HSETNX', K.refusals, f, 0)
  end
  if j.expires > 0 and j.expires <= now then count_event(j.type, 'BURIED'); bury(j, 'EXPIRED')
  elseif unknown and tonumber(call('HGET', K.refusals, f)) >= limit then count_event(j.type, 'BURIED'); bury(j, 'UNKNOWN_TYPE')
  else
    count_event(j.type, 'SNOOZED')
    j.b[B.snoozes] = j.b[B.snoozes] + 1
    after(j, delay)
  end
end

local workers = {}
for i, one in ipairs(all) do
  local flight, sid, id, token = KEYS[FIRST - 1 + one[1]], one[2], one[3], one[4]
  local hold = call('HGET', flight, id)
  if not hold or struct.unpack('>I8', hold) ~= token then verdicts[i] = before(id, token, sid)
  else
    workers[sid] = workers[sid] or spec_of(sid)[1]
    local j = load_held(id, flight, hold, workers[sid], sid)
    if j then
      j.held_by = workers[sid]
      if not j.corrupt then j.b[B.last_token], j.b[B.last_session], j.b[B.last_outcome] = token, sid, one[6] end
      if one[5] then j.b[B.progress] = one[5]; j.progressed = true end
      if not is_corrupt(j) then outcomes[one[6]](j, one) end
      verdicts[i] = j.gone and {'applied', '', ''} or applied(j)
    else
      call('HDEL', flight, id) -- its record was taken away by somebody else
      verdicts[i] = {'stale'}
    end
  end
end
store_accepted()
flush()
return verdicts
