-- Sets right what is remembered of a call's answers: a head does not say that its job is running, but its session does.
-- keys: queue clients
-- arguments: client, number, then which answer and its state, for each
-- answers: 'OK'
-- invariant: a call that is sent again is answered as it was
-- cost: O(answers)
call('HDEL', K.queue, 'full')
local found = call('HGET', K.clients, ARGV[2])
if found then
  local c = cmsgpack.unpack(found)
  if c[1] == tonumber(ARGV[3]) then
    for i = 4, #ARGV, 2 do c[2][tonumber(ARGV[i])][3] = ARGV[i + 1] end
    call('HSET', K.clients, ARGV[2], cmsgpack.pack(c))
  end
end
return 'OK'
