-- Removes what its retention has ended, and buries what has expired: one small batch.
-- arguments: dedup window in ms, audit retention in ms, how much may be done
-- answers: {removed, dead letters dropped, {id, type, reason} for each that died, what is left of how much}
-- invariant: dead letters go only by a limit that somebody set, each with an entry in the audit log
-- cost: O(batch × log(jobs of the queue))
call('HDEL', K.q, 'full')
local window, kept_audit, left = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local removed, dropped = 0, 0
local set = call('HMGET', K.q, 'keep', 'keepCount', 'keepDead', 'keepDeadCount', 'keepDeadBytes')
local keep, keep_count = tonumber(set[1] or 86400000), tonumber(set[2] or 100000)
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
each(K.e, now, function(j)
  if is_corrupt(j) then died(j, 'CORRUPT')
  elseif j.newer or not is_waiting(j.line) then call('ZREM', K.e, member(j))
  else expire(j) end
end)
local function take(j) if not is_corrupt(j) then remove(j, 'PRUNED'); removed = removed + 1 end end
each(K.w, now, take)
each(K.o, now - keep, take)
flush(); states, events, kinds, meta, types_in_order = {}, {}, {}, {}, {}
local n = call('HMGET', K.q, 'n3', 'n5')
local excess = tonumber(n[1] or 0) + tonumber(n[2] or 0) - keep_count
while excess > 0 and left > 0 do
  local first, own = call('ZRANGE', K.o, 0, 0)[1], call('ZRANGE', K.w, 0, 0)[1]
  local a, b = first and load(string.sub(first, 9), SUCCEEDED), own and load(string.sub(own, 9), SUCCEEDED_OWN)
  local j = a
  if not a or (b and (b.b[B.finished] or 0) < (a.b[B.finished] or a.at)) then j = b end
  if not j then break end
  take(j)
  excess = excess - 1; left = left - 1
end
while left > 0 do
  local first = call('ZRANGE', K.d, 0, 0, 'WITHSCORES')
  if not first[1] then break end
  local why
  local dead = tonumber(call('HGET', K.q, 'n4') or 0) - dropped
  local bytes = tonumber(call('HGET', K.q, 'db') or 0) + (meta.db or 0)
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
local function forget(index, before, action)
  if left <= 0 then return end
  local found = call('ZRANGEBYSCORE', index, '-inf', before, 'LIMIT', 0, left)
  for _, one in ipairs(found) do action(one); call('ZREM', index, one); left = left - 1 end
end
forget(K.ko, now - window, function(f) call('HDEL', K.k, f) end)
forget(K.ca, '(' .. now - 86400000, function(client) call('HDEL', K.c, client) end)
forget(K.ba, '(' .. now - kept_audit, function(id) call('HDEL', K.b, id) end)
forget(K.U, '(' .. now - 86400000, function() end)
for _, f in ipairs(call('HKEYS', K.t)) do
  local any = false
  local cursor = '0'
  repeat
    local found = call('HSCAN', K.ur, cursor, 'COUNT', 500)
    cursor = found[1]
    for i = 2, #found[2], 2 do if found[2][i] == f then any = true; break end end
  until any or cursor == '0'
  if not any then call('HDEL', K.t, f) end
end
local groups = call('HGETALL', K.g)
for i = 1, #groups, 2 do
  local g = cmsgpack.unpack(groups[i + 1])
  if g[1] == 0 and g[3] < now - kept_audit then call('HDEL', K.g, groups[i]) end
end
while left > 0 do
  local first = call('LINDEX', K.l, 0)
  if not first or cmsgpack.unpack(first)[1] / 1000 >= now - kept_audit then break end
  call('LPOP', K.l); call('HINCRBY', K.q, 'lpopped', 1); left = left - 1
end
flush()
return {removed, dropped, deaths, left}
