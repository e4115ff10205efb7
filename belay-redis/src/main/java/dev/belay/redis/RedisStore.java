package dev.belay.redis;

import dev.belay.broker.BrokerException;
import dev.belay.broker.NamespaceSettings;
import dev.belay.job.SessionId;
import dev.belay.redis.link.Link;
import dev.belay.redis.link.Script;
import dev.belay.redis.record.Ids;
import io.lettuce.core.KeyValue;
import io.lettuce.core.RedisURI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** One broker object's way to its namespace: keys, time, settings, and which queues there are. Thread-safe. */
final class RedisStore implements AutoCloseable {

    /** The slice named first is never later than the server's own: its time is known here to some milliseconds. */
    private static final long SLICE_MARGIN = 1_000;

    private static final long SETTINGS_NANOS = 2_000_000_000L;

    final Link link;
    final String namespace;
    private final LongSupplier offset;
    private final Map<String, Keys> keys = new ConcurrentHashMap<>();
    private final Set<String> registered = ConcurrentHashMap.newKeySet();
    private final Map<SessionId, String> queues = new ConcurrentHashMap<>();
    private volatile @Nullable Read settings;
    private volatile long skew;
    private volatile long connectedAt;
    private volatile boolean closed;

    private record Read(NamespaceSettings settings, long atNanos) {}

    /** @param offset milliseconds to add to the server's time, 0 outside of tests */
    RedisStore(RedisURI uri, String namespace, Duration timeout, LongSupplier offset) {
        this.namespace = namespace;
        this.offset = offset;
        this.link = new Link(uri, timeout, this::connected);
    }

    private void connected() {
        connectedAt = now();
        registered.clear();
    }

    /** Learns how far the server's clock is from this one's. */
    void synchronize() {
        skew = time() - System.currentTimeMillis() - offset.getAsLong();
        connectedAt = now();
    }

    /** The server's time, asked. */
    long time() {
        List<byte[]> time = call(commands -> commands.time());
        return Long.parseLong(text(time.get(0))) * 1_000
                + Long.parseLong(text(time.get(1))) / 1_000
                + offset.getAsLong();
    }

    /** The server's time, as far as it is known here: tells which slices a script may count in, and the age of the connection. */
    long now() {
        return System.currentTimeMillis() + skew + offset.getAsLong();
    }

    /** For how long the connection has stood. */
    long connectionAge() {
        var now = now();
        // Where the clock was set back to before its beginning, it begins anew.
        connectedAt = Math.min(connectedAt, now);
        return now - connectedAt;
    }

    Keys keys(String queue) {
        return keys.computeIfAbsent(queue, name -> new Keys(namespace, name));
    }

    byte[] key(String name) {
        return ("{" + namespace + "}:" + name).getBytes(StandardCharsets.US_ASCII);
    }

    /** Runs a script of a queue. */
    List<Object> run(Script script, String queue, Collection<SessionId> sessions, List<byte[]> arguments) {
        checkOpen();
        var all = new ArrayList<byte[]>(arguments.size() + 1);
        all.add(ascii(offset.getAsLong()));
        all.addAll(arguments);
        return link.run(script, keys(queue).of(script, (now() - SLICE_MARGIN) / 60_000, sessions), all);
    }

    /** Runs a script of the namespace. */
    List<Object> run(Script script, byte[] key, List<byte[]> arguments) {
        checkOpen();
        var all = new ArrayList<byte[]>(arguments.size() + 1);
        all.add(ascii(offset.getAsLong()));
        all.addAll(arguments);
        return link.run(script, List.of(key), all);
    }

    /**
     * Reads the same fields of several hashes of a queue, in one go.
     *
     * @return for each hash the values in the order of the fields, null where there is none
     */
    List<List<@Nullable Object>> fields(String queue, List<String> hashes, List<byte[]> fields) {
        checkOpen();
        if (fields.isEmpty()) {
            return hashes.stream().map(hash -> List.<@Nullable Object>of()).toList();
        }
        var names = fields.toArray(byte[][]::new);
        List<List<KeyValue<byte[], byte[]>>> found = link.calls(hashes.stream()
                .<Link.Commands<List<KeyValue<byte[], byte[]>>>>map(
                        hash -> commands -> commands.hmget(keys(queue).key(hash), names))
                .toList());
        var values = new ArrayList<List<@Nullable Object>>(found.size());
        for (var hash : found) {
            var of = new ArrayList<@Nullable Object>(hash.size());
            hash.forEach(value -> of.add(value.hasValue() ? value.getValue() : null));
            values.add(of);
        }
        return values;
    }

    /** All fields of a hash, where they are text. */
    Map<String, String> texts(byte[] key) {
        Map<byte[], byte[]> stored = call(commands -> commands.hgetall(key));
        var texts = new HashMap<String, String>();
        stored.forEach((name, value) -> texts.put(text(name), text(value)));
        return texts;
    }

    <T> T call(Link.Commands<T> command) {
        checkOpen();
        return link.call(command);
    }

    /** Runs a script that names the in-flight sets of all sessions, again where they have changed meanwhile. */
    List<Object> runWithSessions(Script script, String queue, List<byte[]> arguments) {
        return runWithSessions(script, queue, List.of(), arguments);
    }

    /** As above, where the in-flight sets of some sessions come before those of all. */
    List<Object> runWithSessions(Script script, String queue, Collection<SessionId> before, List<byte[]> arguments) {
        for (var tries = 0; tries < 100; tries++) {
            var sessions = sessions(queue);
            var all = new ArrayList<>(arguments);
            sessions.forEach(session -> all.add(Ids.bytes(session)));
            var flights = new ArrayList<>(before);
            flights.addAll(sessions);
            var answer = run(script, queue, flights, all);
            if (answer.isEmpty()
                    || !(answer.get(0) instanceof byte[] first)
                    || !text(first).equals("again")) {
                return answer;
            }
        }
        throw new BrokerException.NotApplied(
                "the sessions of queue '" + queue + "' came and went all the time: try again", null);
    }

    /** The registered sessions of a queue. */
    List<SessionId> sessions(String queue) {
        List<byte[]> ids = call(commands -> commands.hkeys(keys(queue).key("sessions")));
        return ids.stream().map(Ids::session).toList();
    }

    /** Makes a queue findable by those who look at all of them. */
    void register(String queue) {
        if (!registered.contains(queue)) {
            this.<Long>call(commands -> commands.sadd(key("queues"), ascii(queue)));
            registered.add(queue);
        }
    }

    /** All queues that ever were, known or not. */
    List<String> queues() {
        Set<byte[]> members = call(commands -> commands.smembers(key("queues")));
        var names = new TreeSet<String>();
        members.forEach(name -> names.add(text(name)));
        return List.copyOf(names);
    }

    /** The queue of a session; null where no queue has it. */
    @Nullable
    String queueOf(SessionId session) {
        var known = queues.get(session);
        if (known != null) {
            return known;
        }
        for (var queue : queues()) {
            boolean there = call(commands -> commands.hexists(keys(queue).key("sessions"), Ids.bytes(session)));
            if (there) {
                queues.put(session, queue);
                return queue;
            }
        }
        return null;
    }

    void registered(SessionId session, String queue) {
        queues.put(session, queue);
    }

    void gone(SessionId session) {
        queues.remove(session);
    }

    NamespaceSettings settings() {
        var read = settings;
        if (read == null || System.nanoTime() - read.atNanos > SETTINGS_NANOS) {
            try {
                byte[] stored = callOrNull(key("settings"));
                read = new Read(
                        stored == null ? NamespaceSettings.DEFAULT : Settings.namespace(stored), System.nanoTime());
                settings = read;
            } catch (BrokerException.NotApplied | BrokerException.Unknown e) {
                // Those of before hold while the server is away: what is asked of it next says so, and waits if it may.
                if (read == null) {
                    throw e;
                }
            }
        }
        return read.settings;
    }

    void settings(NamespaceSettings value) {
        this.<String>call(commands -> commands.set(key("settings"), Settings.bytes(value)));
        settings = new Read(value, System.nanoTime());
    }

    @SuppressWarnings("NullAway") // a key that is not there is answered with null
    private byte @Nullable [] callOrNull(byte[] key) {
        return this.<byte[]>call(commands -> commands.get(key));
    }

    void checkOpen() {
        if (closed) {
            throw new IllegalStateException("this broker is closed: open another one");
        }
    }

    @Override
    public void close() {
        closed = true;
        link.close();
    }

    static byte[] ascii(long number) {
        return ascii(Long.toString(number));
    }

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    static byte[] utf8(@Nullable String text) {
        return Objects.requireNonNullElse(text, "").getBytes(StandardCharsets.UTF_8);
    }

    static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
