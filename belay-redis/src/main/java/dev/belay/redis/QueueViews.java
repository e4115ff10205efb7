package dev.belay.redis;

import dev.belay.broker.BrokerAdmin.QueueView;
import dev.belay.broker.BrokerAdmin.SessionView;
import dev.belay.broker.BrokerAdmin.UnknownType;
import dev.belay.job.JobState;
import dev.belay.job.SessionId;
import dev.belay.redis.record.CorruptRecordException;
import dev.belay.redis.record.Ids;
import dev.belay.redis.record.SpecRecord;
import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import io.lettuce.core.ScoredValue;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is seen of queues and sessions. */
final class QueueViews {

    private static final double BAND = 8_796_093_022_208.0;
    private static final int PRIORITIES = 5;

    private final RedisStore store;
    private final Jobs jobs;

    QueueViews(RedisStore store, Jobs jobs) {
        this.store = store;
        this.jobs = jobs;
    }

    List<QueueView> queues() {
        var views = new ArrayList<QueueView>();
        for (var queue : store.queues()) {
            var fields = jobs.fields(queue);
            if (!"1".equals(fields.get("known"))) {
                continue;
            }
            var counts = new EnumMap<JobState, Long>(JobState.class);
            for (var state : JobState.values()) {
                var count = Long.parseLong(fields.getOrDefault(counter(state), "0"));
                if (count != 0) {
                    counts.put(state, count);
                }
            }
            var live = (int)
                    sessions(queue).stream().filter(session -> !session.ended()).count();
            views.add(new QueueView(
                    queue,
                    "1".equals(fields.get("paused")),
                    Settings.queue(fields),
                    Map.copyOf(counts),
                    live,
                    oldestReadyAt(queue)));
        }
        return List.copyOf(views);
    }

    /** The field in which the jobs of a state are counted. */
    private static String counter(JobState state) {
        return switch (state) {
            case SCHEDULED -> "n0";
            case READY -> "n1";
            case RUNNING -> "n2";
            case SUCCEEDED -> "n3";
            case DEAD -> "n4";
            case CANCELLED -> "n5";
        };
    }

    private @Nullable Long oldestReadyAt(String queue) {
        var keys = store.keys(queue);
        var heads = new ArrayList<Long>();
        for (var priority = 0; priority < PRIORITIES; priority++) {
            var key = keys.key("ready" + priority);
            List<byte[]> first = store.call(commands -> commands.lrange(key, 0, 0));
            first.forEach(entry -> heads.add(ByteBuffer.wrap(entry).getLong()));
        }
        for (var name : List.of("late", "fragile", "suspects")) {
            for (var priority = 0; priority < PRIORITIES; priority++) {
                var from = priority * BAND;
                List<ScoredValue<byte[]>> first = store.call(commands -> commands.zrangebyscoreWithScores(
                        keys.key(name),
                        Range.from(Range.Boundary.including(from), Range.Boundary.excluding(from + BAND)),
                        Limit.create(0, 1)));
                first.forEach(place -> heads.add((long) (place.getScore() - from)));
            }
        }
        return heads.isEmpty() ? null : Collections.min(heads);
    }

    List<SessionView> sessions() {
        var views = new ArrayList<SessionView>();
        store.queues().forEach(queue -> views.addAll(sessions(queue)));
        return List.copyOf(views);
    }

    private List<SessionView> sessions(String queue) {
        var keys = store.keys(queue);
        Map<byte[], byte[]> states = store.call(commands -> commands.hgetall(keys.key("sessions")));
        if (states.isEmpty()) {
            return List.of();
        }
        Map<byte[], byte[]> specs = store.call(commands -> commands.hgetall(keys.key("specs")));
        var stored = new HashMap<SessionId, byte[]>();
        specs.forEach((id, spec) -> stored.put(Ids.session(id), spec));
        Map<byte[], byte[]> registrations = store.call(commands -> commands.hgetall(keys.key("registrations")));
        var registered = new HashMap<SessionId, Long>();
        registrations.forEach((id, at) -> registered.put(Ids.session(id), Long.parseLong(RedisStore.text(at))));
        var views = new ArrayList<SessionView>();
        states.forEach((bytes, packed) -> {
            var id = Ids.session(bytes);
            var spec = stored.get(id);
            if (spec != null) {
                views.add(view(queue, id, spec, ByteBuffer.wrap(packed), registered.getOrDefault(id, 0L)));
            }
        });
        return views;
    }

    private SessionView view(String queue, SessionId id, byte[] spec, ByteBuffer state, long registeredAt) {
        var deadline = state.getLong();
        var marked = state.getLong();
        state.getLong();
        state.getLong();
        var ended = state.get() == 1;
        long inFlight = store.call(commands -> commands.hlen(store.keys(queue).flight(id)));
        try {
            return new SessionView(
                    SpecRecord.read(id, queue, spec),
                    registeredAt,
                    deadline,
                    marked == 0 ? null : (Long) marked,
                    ended,
                    (int) inFlight);
        } catch (CorruptRecordException e) {
            throw new IllegalStateException("session " + id + " of queue '" + queue + "' can't be read", e);
        }
    }

    Map<UnknownType, Long> unknownTypes() {
        var unknown = new HashMap<UnknownType, Long>();
        for (var queue : store.queues()) {
            var kinds = store.texts(store.keys(queue).key("kinds"));
            var live =
                    sessions(queue).stream().filter(session -> !session.ended()).toList();
            kinds.forEach((kind, count) -> {
                var names = kind.split("\0", -1);
                var version = Integer.parseInt(names[1]);
                var known =
                        live.stream().anyMatch(session -> session.spec().types().getOrDefault(names[0], 0) >= version);
                var waiting = Long.parseLong(count);
                if (!known && waiting > 0) {
                    unknown.put(new UnknownType(queue, names[0], version), waiting);
                }
            });
        }
        return Map.copyOf(unknown);
    }
}
