package dev.belay.redis.link;

import dev.belay.broker.BrokerException;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The connection that all calls share: their commands go out one behind the other. A connection that is lost is not mended
 * by the client: nothing is kept and sent later, after its caller was told that it failed. The next call opens another one.
 * Thread-safe.
 */
public final class Link implements AutoCloseable {

    /**
     * What the server refuses to do in a script. Each script begins with a write that is refused first, so nothing is done.
     */
    private static final List<String> REFUSALS = List.of("OOM ", "READONLY ", "MISCONF ", "NOREPLICAS ", "MASTERDOWN ");

    private final RedisURI uri;
    private final RedisClient client;
    private final Duration timeout;
    private final Runnable onConnected;
    private final Object lock = new Object();
    private @Nullable StatefulRedisConnection<byte[], byte[]> connection;
    private @Nullable CompletableFuture<StatefulRedisConnection<byte[], byte[]>> opening;
    private volatile boolean closed;

    /** What is sent, in one go; the answers are waited for afterwards. */
    public interface Commands<T> extends Function<RedisAsyncCommands<byte[], byte[]>, RedisFuture<T>> {}

    /**
     * @param timeout for a connection, and for an answer
     * @param onConnected called after each new connection
     */
    public Link(RedisURI uri, Duration timeout, Runnable onConnected) {
        this.uri = uri;
        this.onConnected = onConnected;
        this.timeout = timeout;
        // Else the client's own minute holds for what it says and asks on a new connection.
        uri.setTimeout(timeout);
        client = RedisClient.create(uri);
        client.setOptions(ClientOptions.builder()
                .autoReconnect(false)
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(timeout)
                        .keepAlive(true)
                        .build())
                .timeoutOptions(TimeoutOptions.create())
                .build());
    }

    /** Runs a script; its answer is a list, of one element where the script answers one. */
    public List<Object> run(Script script, List<byte[]> keys, List<byte[]> arguments) {
        var keyArray = keys.toArray(byte[][]::new);
        var argumentArray = arguments.toArray(byte[][]::new);
        try {
            return call(commands ->
                    commands.<List<Object>>evalsha(script.sha(), ScriptOutputType.MULTI, keyArray, argumentArray));
        } catch (NoScript e) {
            return call(commands ->
                    commands.<List<Object>>eval(script.text(), ScriptOutputType.MULTI, keyArray, argumentArray));
        }
    }

    /** Sends a command and waits for its answer. */
    public <T> T call(Commands<T> command) {
        try {
            return once(command);
        } catch (NotSent first) {
            // Its connection had ended when it came: no server has seen it, so it may go out on another one.
            return told(() -> once(command));
        }
    }

    private <T> T once(Commands<T> command) {
        var on = connection();
        return await(on, send(on, command));
    }

    /** Sends commands one behind the other and waits for all answers. */
    public <T> List<T> calls(List<? extends Commands<T>> commands) {
        return told(() -> {
            var on = connection();
            var sent = commands.stream().map(command -> send(on, command)).toList();
            return sent.stream().map(future -> await(on, future)).toList();
        });
    }

    private static <T> T told(Supplier<T> call) {
        try {
            return call.get();
        } catch (NotSent e) {
            throw new BrokerException.NotApplied(message(e), e.getCause());
        }
    }

    private <T> RedisFuture<T> send(StatefulRedisConnection<byte[], byte[]> on, Commands<T> command) {
        try {
            return command.apply(on.async());
        } catch (RedisException e) {
            drop(on);
            throw new NotSent(name() + " can't be reached: " + message(e), e);
        }
    }

    /** A connection of its own, for what blocks; the caller closes it. */
    public StatefulRedisConnection<byte[], byte[]> open() {
        if (closed) {
            throw new IllegalStateException("this broker is closed: open another one");
        }
        try {
            return client.connect(ByteArrayCodec.INSTANCE);
        } catch (RedisException e) {
            throw new BrokerException.NotApplied(name() + " can't be reached: " + reason(e), e);
        }
    }

    /** The innermost cause says why: a refused connection, a wrong password, a certificate that nobody trusts. */
    private static String reason(Throwable e) {
        var innermost = e;
        while (innermost.getCause() != null) {
            innermost = innermost.getCause();
        }
        return message(innermost);
    }

    /** Drops the connection, as a fault would; the next call opens another. */
    public void breakConnection() {
        synchronized (lock) {
            if (connection != null) {
                drop(connection);
            }
        }
    }

    /** Where the server is, without secrets. */
    public String name() {
        return "the Redis server at " + uri.getHost() + ":" + uri.getPort();
    }

    @Override
    public void close() {
        closed = true;
        synchronized (lock) {
            connection = null;
        }
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    }

    private StatefulRedisConnection<byte[], byte[]> connection() {
        CompletableFuture<StatefulRedisConnection<byte[], byte[]>> others;
        var mine = new CompletableFuture<StatefulRedisConnection<byte[], byte[]>>();
        synchronized (lock) {
            if (connection != null && connection.isOpen()) {
                return connection;
            }
            others = opening;
            if (others == null) {
                opening = mine;
            }
        }
        return others == null ? connect(mine) : await(others);
    }

    private StatefulRedisConnection<byte[], byte[]> connect(
            CompletableFuture<StatefulRedisConnection<byte[], byte[]>> attempt) {
        try {
            var opened = open();
            onConnected.run();
            opened(opened);
            attempt.complete(opened);
            return opened;
        } catch (RuntimeException | Error e) {
            opened(null);
            attempt.completeExceptionally(e);
            throw e;
        }
    }

    private void opened(@Nullable StatefulRedisConnection<byte[], byte[]> outcome) {
        synchronized (lock) {
            connection = outcome;
            opening = null;
        }
    }

    /** Who comes while somebody connects shares the outcome: callers don't queue up to fail one after the other. */
    private static StatefulRedisConnection<byte[], byte[]> await(
            CompletableFuture<StatefulRedisConnection<byte[], byte[]>> attempt) {
        try {
            return attempt.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof BrokerException.NotApplied known
                    ? new BrokerException.NotApplied(message(known), known)
                    : new IllegalStateException("connecting failed: " + e.getMessage(), e);
        }
    }

    private void drop(StatefulRedisConnection<byte[], byte[]> dropped) {
        synchronized (lock) {
            if (dropped.equals(connection)) {
                connection = null;
            }
        }
        dropped.closeAsync();
    }

    private <T> T await(StatefulRedisConnection<byte[], byte[]> on, RedisFuture<T> future) {
        var deadline = System.nanoTime() + timeout.toNanos();
        var interrupted = false;
        try {
            while (true) {
                try {
                    return future.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    // What is sent can't be taken back: its answer is waited for, so that the caller knows.
                    interrupted = true;
                } catch (TimeoutException e) {
                    // It may be answered later, to nobody; whoever comes next gets a connection without a queue.
                    drop(on);
                    throw new BrokerException.Unknown(name() + " did not answer within " + timeout, e);
                } catch (CancellationException e) {
                    // Another caller has dropped the connection: it may have been sent, or still have been in its
                    // buffer.
                    throw new BrokerException.Unknown(
                            "the connection to " + name() + " was dropped before the answer", e);
                } catch (ExecutionException e) {
                    throw failure(on, e.getCause() == null ? e : e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private RuntimeException failure(StatefulRedisConnection<byte[], byte[]> on, Throwable cause) {
        if (cause instanceof RedisCommandExecutionException answered) {
            return answered(message(answered), answered);
        }
        var message = message(cause);
        if (message.contains("Commands are rejected") || message.contains("not connected")) {
            drop(on);
            return new NotSent(name() + " can't be reached: " + message, cause);
        }
        drop(on);
        return new BrokerException.Unknown(
                "the connection to " + name() + " was lost before the answer: " + message, cause);
    }

    /** The server refused: it has done nothing. */
    private RuntimeException answered(String message, RedisCommandExecutionException cause) {
        if (message.startsWith("NOSCRIPT")) {
            return new NoScript();
        }
        if (message.contains("user_script:") && REFUSALS.stream().noneMatch(message::contains)) {
            // A script that failed half way; a bug.
            return new BrokerException.Unknown("a script failed on " + name() + ": " + message, cause);
        }
        return new BrokerException.NotApplied(name() + " refused: " + message, cause);
    }

    private static String message(Throwable e) {
        return String.valueOf(e.getMessage());
    }

    /** The connection had ended before the command was written. */
    private static final class NotSent extends RuntimeException {
        private static final long serialVersionUID = 1;

        NotSent(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /** The server does not know a script: it was restarted, or its scripts were flushed. */
    private static final class NoScript extends RuntimeException {
        private static final long serialVersionUID = 1;

        NoScript() {
            super("NOSCRIPT", null, false, false);
        }
    }
}
