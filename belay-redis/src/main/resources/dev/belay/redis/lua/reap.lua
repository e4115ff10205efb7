-- One reaper's pass over the sessions of a queue.
-- keys: queue refusals; then the in-flight sets of all sessions, in the order of their ids below
-- arguments: reap interval, grace, age of the caller's connection in ms, a seed for the jitter, then all session ids
-- answers: {'again'} where the sessions are others; {1 where it looked, marked, ended, 1 where more is to be taken back,
--   {id, type, token, 1 where counted, state, reason} for each taken back}
-- invariant: looks, not time: a mark must stand for the grace, seen by passes that were not late
-- cost: O(sessions + 50 jobs × log(jobs of the queue))
call('HDEL', K.queue, 'full')
local interval, grace, age = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
math.randomseed(tonumber(ARGV[5]))
local IDS = 6
if not all_named(IDS) then return {'again'} end
local last = tonumber(call('HGET', K.queue, 'reaped') or -1)
local too_soon = last >= 0 and last <= now and (now - last) * 2 < interval
local marked, ended = 0, 0
if not too_soon then
  call('HSET', K.queue, 'reaped', now)
  local late = last < 0 or last > now or now - last > 2 * interval
  local live = false
  for i = IDS, #ARGV do
    local s = session(ARGV[i])
    if s.ended == 0 then
      local spec = spec_of(ARGV[i])
      local deadline, mark, over = math.min(s.deadline, now + spec[2]), s.marked, 0
      if deadline <= now then
        if mark == 0 or late then mark = now; marked = marked + 1
        elseif age >= grace and mark + grace <= now then over = 1; ended = ended + 1 end
      end
      if deadline ~= s.deadline or mark ~= s.marked or over == 1 then
        s.deadline, s.marked, s.ended = deadline, mark, over
        save_session(s)
      end
      live = live or over == 0
    end
  end
  -- For how long types that were refused have been known to nobody, while somebody served the queue. Of what was long before
  -- a late look, nothing is known.
  local elapsed = last < 0 and 0 or math.min(2 * interval, math.max(0, now - last))
  if live and elapsed > 0 then
    local knows = {}
    for i = IDS, #ARGV do
      local s = session(ARGV[i])
      if s.ended == 0 then
        for type, version in pairs(spec_of(ARGV[i])[3]) do knows[type] = math.max(knows[type] or 0, version) end
      end
    end
    for _, f in ipairs(call('HKEYS', K.refusals)) do
      local type, version = string.match(f, '^(.-)%z(.*)$')
      if not knows[type] or knows[type] < tonumber(version) then call('HINCRBY', K.refusals, f, elapsed) end
    end
  end
end

local function delay(backoff, n)
  local kind, base, factor, cap, jitter = 'EXPONENTIAL', 1000, 2, 3600000, 'full'
  if backoff then kind, base, factor, cap, jitter = string.match(backoff, '^(%u+):(%d+):([^:]+):(%d+):(%a+)$') end
  base, factor, cap = tonumber(base), tonumber(factor), tonumber(cap)
  local bound = 0
  if kind == 'FIXED' then bound = base
  elseif kind == 'EXPONENTIAL' then
    bound = base * factor ^ (math.max(1, n) - 1)
    if bound >= cap or bound ~= bound then bound = base == 0 and 0 or cap end
  end
  bound = math.floor(bound)
  return jitter == 'full' and bound > 0 and math.floor(math.random() * (bound + 1)) or bound
end
local function back_off(j) schedule(j, now + delay(j.b[B.backoff], math.max(1, j.b[B.steps]))) end

local MOST = 50
local reclaimed, more = {}, false
for i = IDS, #ARGV do
  local s, flight = session(ARGV[i]), KEYS[FIRST + i - IDS]
  if s.ended == 1 then
    local spec = spec_of(ARGV[i])
    local cursor = '0'
    -- A part of the set may be empty where a step before has taken what lay there: so the scan goes on.
    while #reclaimed < MOST do
      local part = call('HSCAN', flight, cursor, 'COUNT', MOST)
      local found = part[2]
      cursor = part[1]
      for at = 1, #found, 2 do
        if #reclaimed >= MOST then break end
        local j = load_held(found[at], flight, found[at + 1], spec[1], ARGV[i])
        if not j then call('HDEL', flight, found[at])
        else
          local held, begun, was_counted = j.held, j.held.begun > 0, true
          if is_corrupt(j) then was_counted = false
          elseif j.b[B.crashes] + 1 < j.b[B.max_crashes] then
            count_crash(j); j.b[B.steps] = j.b[B.steps] + 1; back_off(j)
          elseif begun then bury_as_lost(j)
          else note(j, 'RETURNED'); count_event(j.type, 'RETURNED'); back_off(j); was_counted = false end
          reclaimed[#reclaimed + 1] = {j.id, j.type, tostring(held.token), was_counted and 1 or 0, state_name(j.line),
            j.line == DEAD and j.b[B.reason] or ''}
        end
      end
      if cursor == '0' then break end
    end
    if call('HLEN', flight) == 0 then drop_session(ARGV[i])
    else more = true end
  end
end
flush()
return {too_soon and 0 or 1, marked, ended, more and 1 or 0, reclaimed}
