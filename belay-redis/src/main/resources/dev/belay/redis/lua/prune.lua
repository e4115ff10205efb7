-- Removes what its retention has ended, and buries what has expired: one small batch.
-- keys: queue expiring kept finished dead orphans keys client_times clients replaced_times replaced used refusals refused groups audit
-- arguments: dedup window in ms, audit retention in ms, how much may be done
-- answers: {removed, dead letters dropped, {id, type, reason} for each that died, what is left of how much}
-- invariant: dead letters go only by a limit that somebody set, each with an entry in the audit log
-- cost: O(batch × log(jobs of the queue))
call('HDEL', K.queue, 'full')
local window, kept_audit, left = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local removed, dropped = 0, 0
local set = call('HMGET', K.queue, 'keep', 'keepCount', 'keepDead', 'keepDeadCount', 'keepDeadBytes')
local keep, keep_count = tonumber(set[1] or KEEP), tonumber(set[2] or 100000)
local keep_dead, keep_dead_count, keep_dead_bytes = tonumber(set[3] or ''), tonumber(set[4] or ''), tonumber(set[5] or '')

local function each(key, upto, action)
  if left <= 0 then return end
  for _, place in ipairs(call('ZRANGEBYSCORE', key, '-inf', upto, 'LIMIT', 0, left)) do
    local seq = struct.unpack('>I8', place)
    local j = load(string.sub(place, 9), nil, seq)
    if not j or (j.seq ~= seq and not j.corrupt) then call('ZREM', key, place)
    else action(j); left = left - 1 end
  end
end
each(K.expiring, now, function(j)
  if is_corrupt(j) then died(j, 'CORRUPT')
  elseif j.newer or not is_waiting(j.line) then call('ZREM', K.expiring, member(j))
  else expire(j) end
end)
local function take(j) if not is_corrupt(j) then remove(j, 'PRUNED'); removed = removed + 1 end end
each(K.kept, now, take)
each(K.finished, now - keep, take)
flush(); states, events, kinds, meta, types_in_order = {}, {}, {}, {}, {}
local n = call('HMGET', K.queue, 'n3', 'n5')
local excess = tonumber(n[1] or 0) + tonumber(n[2] or 0) - keep_count
while excess > 0 and left > 0 do
  local first, own = call('ZRANGE', K.finished, 0, 0)[1], call('ZRANGE', K.kept, 0, 0)[1]
  local a, b = first and load(string.sub(first, 9), SUCCEEDED), own and load(string.sub(own, 9), SUCCEEDED_OWN)
  local j = a
  if not a or (b and (b.b[B.finished] or 0) < (a.b[B.finished] or a.at)) then j = b end
  if not j then break end
  take(j)
  excess = excess - 1; left = left - 1
end
while left > 0 do
  local first = call('ZRANGE', K.dead, 0, 0, 'WITHSCORES')
  if not first[1] then break end
  local why
  local dead = tonumber(call('HGET', K.queue, 'n4') or 0) - dropped
  local bytes = tonumber(call('HGET', K.queue, 'db') or 0) + (meta.db or 0)
  if keep_dead and tonumber(first[2]) + keep_dead <= now then why = 'keepDead = ' .. keep_dead .. ' ms'
  elseif keep_dead_count and dead > keep_dead_count then why = 'keepDeadCount = ' .. keep_dead_count
  elseif keep_dead_bytes and bytes > keep_dead_bytes then why = 'keepDeadBytes = ' .. keep_dead_bytes
  else break end
  local j = load(string.sub(first[1], 9), DEAD, struct.unpack('>I8', first[1]))
  if j.corrupt then is_corrupt(j) end
  audit('drop', j.id, 'retention', nil, 'dead letter ' .. (j.b[B.reason] or '') .. ', ' .. why)
  remove(j, 'DEAD_DROPPED')
  dropped = dropped + 1; left = left - 1
end
local function forget(index, before, action, from)
  if left <= 0 then return end
  local found = call('ZRANGEBYSCORE', index, from or '-inf', before, 'LIMIT', 0, left)
  for _, one in ipairs(found) do action(one); call('ZREM', index, one); left = left - 1 end
end
forget(K.orphans, now - window, function(f) call('HDEL', K.keys, f) end)
forget(K.orphans, BAND + now, function(f) call('HDEL', K.keys, f) end, BAND)
forget(K.client_times, '(' .. now - 86400000, function(client) call('HDEL', K.clients, client) end)
forget(K.replaced_times, '(' .. now - kept_audit, function(id) call('HDEL', K.replaced, id) end)
forget(K.used, '(' .. now - 86400000, function() end)
for _, f in ipairs(call('HKEYS', K.refusals)) do
  local any = false
  local cursor = '0'
  repeat
    local found = call('HSCAN', K.refused, cursor, 'COUNT', 500)
    cursor = found[1]
    for i = 2, #found[2], 2 do if found[2][i] == f then any = true; break end end
  until any or cursor == '0'
  if not any then call('HDEL', K.refusals, f) end
end
local groups = call('HGETALL', K.groups)
for i = 1, #groups, 2 do
  local g = cmsgpack.unpack(groups[i + 1])
  if g[1] == 0 and g[3] < now - kept_audit then call('HDEL', K.groups, groups[i]) end
end
while left > 0 do
  local first = call('LINDEX', K.audit, 0)
  if not first or cmsgpack.unpack(first)[1] / 1000 >= now - kept_audit then break end
  call('LPOP', K.audit); call('HINCRBY', K.queue, 'lpopped', 1); left = left - 1
end
flush()
return {removed, dropped, deaths, left}
