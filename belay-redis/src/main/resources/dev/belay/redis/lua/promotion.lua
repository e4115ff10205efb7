-- Shared by lease and promote: moves due jobs into line.
-- keys: queue scheduled unknown
local UNKNOWN_PER_SECOND, MOST_DUE = 100, 50
local promoted = 0
local window_at, window_count
local function promote_from(set, line, most)
  if most <= 0 then return 0 end
  local taken = 0
  for _, place in ipairs(call('ZRANGEBYSCORE', set, '-inf', now, 'LIMIT', 0, most)) do
    local id = string.sub(place, 9)
    local j = load(id, line, struct.unpack('>I8', place))
    if not j or j.seq ~= struct.unpack('>I8', place) then call('ZREM', set, place)
    elseif is_corrupt(j) then died(j, 'CORRUPT')
    elseif j.newer then
      j.at = now + 30000; call('ZADD', set, j.at, place); write(j)
    elseif j.expires > 0 and j.expires <= now then expire(j)
    else ready(j, j.run); taken = taken + 1 end
  end
  return taken
end
local function promote_due()
  local w = call('HMGET', K.queue, 'uw', 'uc')
  window_at, window_count = tonumber(w[1] or 0), tonumber(w[2] or 0)
  if window_at > now or now - window_at >= 1000 then window_at, window_count = now, 0 end
  promoted = promote_from(K.scheduled, SCHEDULED, MOST_DUE)
  local unknown = promote_from(K.unknown, UNKNOWN, UNKNOWN_PER_SECOND - window_count)
  if unknown > 0 then
    window_count = window_count + unknown
    call('HSET', K.queue, 'uw', window_at, 'uc', window_count)
  end
  promoted = promoted + unknown
end
-- Milliseconds until the next scheduled job can be promoted; -1 where none is scheduled.
local function next_due()
  local due
  local first = call('ZRANGE', K.scheduled, 0, 0, 'WITHSCORES')
  if first[2] then due = tonumber(first[2]) end
  first = call('ZRANGE', K.unknown, 0, 0, 'WITHSCORES')
  if first[2] then
    local slow = window_count < UNKNOWN_PER_SECOND and now or window_at + 1000
    local at = math.max(slow, tonumber(first[2]))
    due = due and math.min(due, at) or at
  end
  return due and math.max(0, due - now) or -1
end
