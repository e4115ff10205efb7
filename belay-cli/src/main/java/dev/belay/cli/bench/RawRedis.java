package dev.belay.cli.bench;

import io.lettuce.core.LMoveArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The limit of Redis itself: RPUSH, then LMOVE into another list, then LREM, by the same client, 64 commands in a pipeline. No
 * fences, no counts, no history.
 */
final class RawRedis implements RawStore {

    private static final int DEPTH = 64;
    private static final byte[] READY = "belay-bench-raw:ready".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] FLIGHT = "belay-bench-raw:flight".getBytes(StandardCharsets.US_ASCII);
    private static final String PUSH = "return redis.call('RPUSH', KEYS[1], ARGV[1])";
    private static final LMoveArgs FIRST_TO_LAST = LMoveArgs.Builder.leftRight();

    private final RedisClient client;
    private final byte[] payload;
    private final List<StatefulRedisConnection<byte[], byte[]>> open = new ArrayList<>();

    RawRedis(String address, int payloadBytes) {
        client = RedisClient.create(address);
        payload = Payloads.bytes(payloadBytes);
        connection(0).sync().del(READY, FLIGHT);
    }

    @Override
    public double insert(int rows, int connections) throws Exception {
        connection(connections - 1);
        var perConnection = Math.max(1, rows / DEPTH / connections);
        var seconds = Crowd.seconds(connections, thread -> {
            for (var i = 0; i < perConnection; i++) {
                pipeline(
                        open.get(thread),
                        DEPTH,
                        connection -> connection.async().rpush(READY, payload));
            }
        });
        return perConnection * connections * DEPTH / seconds;
    }

    @Override
    public double leaseAndSettle(int connections) throws Exception {
        connection(connections - 1);
        var rows = new AtomicLong();
        var seconds = Crowd.seconds(connections, thread -> {
            var connection = open.get(thread);
            while (true) {
                var leased = pipeline(connection, DEPTH, on -> on.async().lmove(READY, FLIGHT, FIRST_TO_LAST));
                var count = (int) leased.stream().filter(value -> value != null).count();
                if (count == 0) {
                    return;
                }
                pipeline(connection, count, on -> on.async().lrem(FLIGHT, 1, payload));
                rows.addAndGet(count);
            }
        });
        return rows.get() / seconds;
    }

    @Override
    public double insertOneByOne(int rows, int callers) throws Exception {
        var connection = connection(0);
        var sha = connection.sync().scriptLoad(PUSH);
        var perCaller = Math.max(1, rows / callers);
        var seconds = Crowd.seconds(callers, thread -> {
            for (var i = 0; i < perCaller; i++) {
                connection.sync().<Long>evalsha(sha, ScriptOutputType.INTEGER, new byte[][] {READY}, payload);
            }
        });
        connection.sync().del(READY);
        return perCaller * callers / seconds;
    }

    @Override
    public Samples roundTrips(int rounds, int perSecond) throws InterruptedException {
        var commands = connection(0).sync();
        commands.del(READY, FLIGHT);
        var millis = new Samples();
        var pace = new Pace(perSecond);
        for (var i = 0; i < rounds; i++) {
            pace.next();
            var start = System.nanoTime();
            commands.rpush(READY, payload);
            commands.lmove(READY, FLIGHT, FIRST_TO_LAST);
            commands.lrem(FLIGHT, 1, payload);
            millis.add((System.nanoTime() - start) / 1e6);
        }
        return millis;
    }

    @Override
    public long serverNanos() {
        return connection(0)
                .sync()
                .info("cpu")
                .lines()
                .filter(line -> line.startsWith("used_cpu_user:") || line.startsWith("used_cpu_sys:"))
                .mapToLong(line -> Math.round(Double.parseDouble(line.substring(line.indexOf(':') + 1)) * 1e9))
                .sum();
    }

    @Override
    public void close() {
        connection(0).sync().del(READY, FLIGHT);
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    }

    private StatefulRedisConnection<byte[], byte[]> connection(int number) {
        while (open.size() <= number) {
            open.add(client.connect(ByteArrayCodec.INSTANCE));
        }
        return open.get(number);
    }

    /** One command of a pipeline. */
    private interface Send<T> {
        RedisFuture<T> to(StatefulRedisConnection<byte[], byte[]> connection);
    }

    private static <T> List<T> pipeline(StatefulRedisConnection<byte[], byte[]> connection, int depth, Send<T> send)
            throws Exception {
        connection.setAutoFlushCommands(false);
        var futures = new ArrayList<RedisFuture<T>>(depth);
        for (var i = 0; i < depth; i++) {
            futures.add(send.to(connection));
        }
        connection.flushCommands();
        var answers = new ArrayList<T>(depth);
        for (var future : futures) {
            answers.add(future.get(60, TimeUnit.SECONDS));
        }
        connection.setAutoFlushCommands(true);
        return answers;
    }
}
