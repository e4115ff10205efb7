-- A promoter's pass; one within half of the interval of the last does nothing.
-- keys: queue
-- arguments: interval in ms, 1 where it goes on with a pass
-- answers: {} or {how many, ms until the next is due or -1, {id, type, reason} for each that died}
-- invariant: a job is ready since it was due, not since somebody looked
-- cost: O(50 × log(jobs of the queue))
call('HDEL', K.queue, 'full')
if not is_known() then return {} end
local goes_on = ARGV[3] == '1'
local last = tonumber(call('HGET', K.queue, 'promoted') or -1)
if not goes_on and last >= 0 and last <= now and (now - last) * 2 < tonumber(ARGV[2]) then return {} end
call('HSET', K.queue, 'promoted', now)
promote_due()
local due = next_due()
flush()
return {promoted, tostring(due), deaths}
