-- What a person does to a queue: pause, resume, configure, remove, tell a session.
-- keys: queue sessions heads groups replaced replaced_times events slice refusals refused kinds ready all blocks
-- arguments: action, who, why or '', detail or '', then the action's own
-- answers: 'APPLIED', 'MISSING' or 'BUSY'; for configure the settings of before
-- invariant: the change and its entry are one step
-- cost: O(sessions)
local action, who, why, detail = ARGV[2], ARGV[3], ARGV[4] ~= '' and ARGV[4] or nil, ARGV[5] ~= '' and ARGV[5] or nil
if action == 'pause' then
  know(); call('HSET', K.queue, 'paused', 1); audit('pause', nil, who, why)
elseif action == 'resume' then
  know(); call('HSET', K.queue, 'paused', 0); audit('resume', nil, who, why); woken = 8
elseif action == 'configure' then
  -- own: keep, keepCount, keepDead, keepDeadCount, keepDeadBytes ('' for none), their words
  know()
  local before = call('HGET', K.queue, 'settings') or ARGV[12]
  audit('configure', nil, who, why, before .. ' became ' .. ARGV[11])
  call('HSET', K.queue, 'keep', ARGV[6], 'keepCount', ARGV[7], 'keepDead', ARGV[8], 'keepDeadCount', ARGV[9], 'keepDeadBytes',
    ARGV[10], 'settings', ARGV[11])
elseif action == 'remove' then
  if not is_known() then return 'MISSING' end
  if call('HLEN', K.sessions) > 0 or call('HLEN', K.heads) > 0 then return 'BUSY' end
  call('HSET', K.queue, 'known', 0)
  call('HDEL', K.queue, 'stale', 'paused', 'keep', 'keepCount', 'keepDead', 'keepDeadCount', 'keepDeadBytes', 'settings')
  call('DEL', K.groups, K.replaced, K.replaced_times, K.events, K.slice, K.refusals, K.refused, K.kinds, K.ready[0], K.ready[1], K.ready[2], K.ready[3], K.ready[4], K.all, K.blocks)
  audit('remove-queue', nil, who, why)
elseif action == 'tell' then
  local s = live_session(ARGV[6])
  if not s then return 'MISSING' end
  tell(ARGV[6], ARGV[7])
  audit('tell', nil, who, why, detail .. spec_of(ARGV[6])[1])
end
flush()
return 'APPLIED'
