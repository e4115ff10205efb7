-- What a person, or a tool for them, does to one job; written to the audit log in the same step.
-- keys: queue replaced corrupt heads replaced_times; then the in-flight sets of all sessions, in the order of their ids below
-- arguments: action, id, who, why or '', 'any' or a time: only what became final no later; dedup window in ms; a packed
--   array of the action's own; then all session ids
-- answers: {'again'} where the sessions are others; {'missing'}, {'replaced', by}, {'wrong', state}, {'busy'},
--   {'applied', state or '', reason or ''}, or a conflict as enqueue answers one
-- invariant: the change and its entry are one step
-- cost: O(sessions + log(jobs of the queue))
local action, id, who, why, limit, window = ARGV[2], ARGV[3], ARGV[4], ARGV[5] ~= '' and ARGV[5] or nil, ARGV[6],
  tonumber(ARGV[7])
if action == 'replay' or action == 'replace' or action == 'edit' or action == 'runNow' then call('HSET', K.queue, 'acted', now)
else call('HDEL', K.queue, 'full') end
local own = cmsgpack.unpack(ARGV[8])
local IDS = 9
if not all_named(IDS) then return {'again'} end
flights = named_flights()
local j
for i = IDS, #ARGV do
  local flight = KEYS[FIRST + i - IDS]
  local hold = call('HGET', flight, id)
  if hold then j = load_held(id, flight, hold, spec_of(ARGV[i])[1], ARGV[i]); break end
end
j = j or load(id)
if not j then
  local by = call('HGET', K.replaced, id)
  return by and {'replaced', by} or {'missing'}
end
if j.held then j.line = 17 end
local function applied() return {'applied', state_name(j.line), j.line == DEAD and j.b[B.reason] or ''} end
local function wrong() flush(); return {'wrong', state_name(j.line)} end
local was_corrupt = is_corrupt(j)
if j.newer then return wrong() end
local final, replayable = is_final(j.line), j.line == DEAD or j.line == CANCELLED or j.line == CANCELLED_OWN
local function too_late() return limit ~= 'any' and j.b[B.finished] > tonumber(limit) end

if action == 'cancel' then
  if final then return wrong() end
  audit('cancel', id, who, why, 'was ' .. state_name(j.line))
  note(j, 'CANCELLED', who, why)
  count_event(j.type, j.held and 'CANCELLED_RUNNING' or 'CANCELLED_WAITING')
  revoke(j)
  finish(j, CANCELLED, why or who)
  free_key(j)
elseif action == 'runNow' then
  if j.line ~= SCHEDULED and j.line ~= UNKNOWN then return wrong() end
  audit('run-now', id, who, why)
  note(j, 'RUN_NOW', who, why)
  j.run = now
  ready(j, now)
elseif action == 'edit' then
  -- own: priority or false, start kind or false, start value, tags or false, in words
  if final or (j.held and own[2]) then return wrong() end
  local what = own[5]
  audit('edit', id, who, why, what)
  note(j, 'EDITED', who, why, what)
  if own[1] then j.b[B.priority] = own[1] end
  if own[4] then j.b[B.tags] = own[4] end
  local start = own[2] and math.max(now, own[2] == 0 and now + own[3] or own[3])
  if j.held then
    -- Its hold must not say that there is nothing to its end: its head is of interest now.
    local h = j.held
    local hold = call('HGET', h.key, id)
    call('HSET', h.key, id, string.sub(hold, 1, 32) .. '\0' .. string.sub(hold, 34))
    j.b[B.token], j.b[B.deliveries] = j.b[B.token], j.b[B.deliveries] - 1
    j.line = j.from_line
    if own[1] and j.line < 15 then j.line = ready_line(j) end
    write(j)
    flush()
    return {'applied', 'RUNNING', ''}
  end
  if start and start > now then schedule(j, start)
  elseif start and j.line >= 15 then j.run = start; ready(j, now)
  elseif j.line < 15 then ready(j, j.at); woken = 0
  else write(j) end
elseif action == 'replay' then
  if not replayable or was_corrupt or call('HEXISTS', K.corrupt, id) == 1 or too_late() then return wrong() end
  local holder, since, fingerprint
  if j.b[B.key] then
    holder, since, fingerprint = counting_holder(j.type, j.b[B.key], window)
    if holder and holder ~= id then
      local t = load(holder)
      return {'conflict', holder, t and state_name(t.line) or '', 'key', fingerprint, tostring(since), j.type, j.b[B.key],
        j.b[B.fingerprint]}
    end
  end
  audit('replay', id, who, why, 'was ' .. state_name(j.line) .. ' ' .. (j.b[B.reason] or ''))
  note(j, 'REPLAYED', who, why)
  count_event(j.type, 'REPLAYED')
  if j.line == DEAD then leave_dead(j) end
  local b = j.b
  if not b[B.lifetime] and j.expires > 0 then b[B.lifetime] = j.expires - j.created end
  j.run, j.expires = now, b[B.lifetime] and now + b[B.lifetime] or 0
  b[B.reason], b[B.finished], b[B.unknown] = false, false, false
  b[B.failures], b[B.crashes], b[B.steps], b[B.replays] = 0, 0, 0, b[B.replays] + 1
  if b[B.key] and not holder then claim_key(j.type, b[B.key], id, b[B.fingerprint], j.created) end
  ready(j, now)
elseif action == 'replace' then
  -- own: the new job as for enqueue, what it says in its history
  if not replayable then return wrong() end
  local new = own[1]
  local holder = new[6] ~= '' and counting_holder(new[3], new[6], window)
  if (holder and holder ~= id) or call('HEXISTS', K.heads, new[1]) == 1 then
    local met = obstacle(new, window, call('HGET', K.heads, new[1]), true)
    flush()
    return met
  end
  audit('replace', id, who, why, 'replaced by ' .. own[2])
  free_key(j)
  remove(j, 'DISCARDED')
  call('HSET', K.replaced, id, new[1]); call('ZADD', K.replaced_times, now, id)
  accept(new, window, false)
  store_accepted()
  count_event(new[3], 'REPLAYED')
  j = load(new[1])
  note(j, 'REPLACED', who, why, own[3])
  write(j)
elseif action == 'discard' then
  if not final or too_late() then return wrong() end
  local reason = j.b[B.reason] and ' ' .. j.b[B.reason] or ''
  audit('discard', id, who, why, 'type ' .. j.type .. ', was ' .. state_name(j.line) .. reason)
  free_key(j)
  remove(j, 'DISCARDED')
  flush()
  return {'applied', '', ''}
end
flush()
return applied()
