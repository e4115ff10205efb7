-- Sets or removes a cell if its version is the expected one.
-- keys: the cells of the namespace
-- arguments: milliseconds to add to the server's time, key, expected version, 1 for a value, the value, its time to live in
--   ms or -1
-- answers: 1 where it was done, else 0
-- invariant: versions of one key grow, through removals too
-- cost: O(1)
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000) + tonumber(ARGV[1])
local found = redis.call('HGET', KEYS[1], 'c' .. ARGV[2])
local version = 0
if found then
  local v, expires = struct.unpack('>I8I8', found)
  if expires == 0 or expires > now then version = v end
end
if version ~= tonumber(ARGV[3]) then return 0 end
if ARGV[4] == '0' then
  redis.call('HDEL', KEYS[1], 'c' .. ARGV[2])
  return 1
end
local ttl = tonumber(ARGV[6])
local next = redis.call('HINCRBY', KEYS[1], 'version', 1)
redis.call('HSET', KEYS[1], 'c' .. ARGV[2], struct.pack('>I8I8', next, ttl < 0 and 0 or now + ttl) .. ARGV[5])
return 1
