-- Fences the lease calls of a session up to a number, then tells what it holds.
-- keys: queue; then its in-flight set
-- arguments: session, number
-- answers: {'ENDED'} or {'OK', id, token, id, token, …}
-- invariant: the fence never falls
-- cost: O(what it holds)
call('HDEL', K.queue, 'full')
local s = live_session(ARGV[2])
if not s then return {'ENDED'} end
s.fence = math.max(s.fence, tonumber(ARGV[3]))
save_session(s)
local answer = {'OK'}
local all = call('HGETALL', KEYS[FIRST])
for i = 1, #all, 2 do
  answer[#answer + 1] = all[i]
  answer[#answer + 1] = tostring((struct.unpack('>I8', all[i + 1])))
end
return answer
