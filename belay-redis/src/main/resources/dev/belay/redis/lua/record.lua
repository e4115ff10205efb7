-- Adds observed times to the histograms of a queue.
-- keys: queue events slice
-- arguments: type, kind, bucket, how many, for each
-- answers: 'OK'
-- invariant: histograms merge by adding
-- cost: O(buckets)
call('HDEL', K.queue, 'full')
for i = 2, #ARGV, 4 do
  local f = 'h|' .. counted_type(ARGV[i]) .. '|' .. ARGV[i + 1] .. '|' .. ARGV[i + 2]
  call('HINCRBY', K.events, f, ARGV[i + 3])
  call('HINCRBY', K.slice, f, ARGV[i + 3])
end
call('EXPIRE', K.slice, 176400)
return 'OK'
