package dev.belay.redis;

import static dev.belay.redis.RedisStore.ascii;
import static dev.belay.redis.RedisStore.utf8;
import static dev.belay.redis.Replies.bytes;
import static dev.belay.redis.Replies.list;
import static dev.belay.redis.Replies.number;
import static dev.belay.redis.Replies.text;

import dev.belay.broker.Beat;
import dev.belay.broker.BeatReply;
import dev.belay.broker.Broker;
import dev.belay.broker.BrokerAdmin;
import dev.belay.broker.BrokerException;
import dev.belay.broker.Capabilities;
import dev.belay.broker.Cells;
import dev.belay.broker.Command;
import dev.belay.broker.EnqueueCall;
import dev.belay.broker.LeaseReply;
import dev.belay.broker.LeaseRequest;
import dev.belay.broker.NamespaceSettings;
import dev.belay.broker.PromoteReply;
import dev.belay.broker.PruneReply;
import dev.belay.broker.ReapReply;
import dev.belay.broker.ReconcileReply;
import dev.belay.broker.Registration;
import dev.belay.broker.SessionSpec;
import dev.belay.broker.Settlement;
import dev.belay.broker.TimesDelta;
import dev.belay.broker.Verdict;
import dev.belay.job.InvalidInputException;
import dev.belay.job.LeaseId;
import dev.belay.job.Limits;
import dev.belay.job.SessionId;
import dev.belay.redis.link.Script;
import dev.belay.redis.record.Ids;
import dev.belay.redis.record.SpecRecord;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * A broker on Redis or Valkey. Many workers on many machines may work on one server; how durable accepted jobs are is the
 * server's own setting. All times are the server's. Safe for use by many threads.
 */
public final class RedisBroker implements Broker {

    private static final Capabilities CAPABILITIES = new Capabilities("redis", true, true, 2, 100);
    private final RedisStore store;
    private final Jobs jobs;
    private final BrokerAdmin admin;
    private final Cells cells;
    private final Housekeeping housekeeping;
    private final Enqueuing enqueuing;
    private final Settling settling;
    private final Leasing leasing;
    private final Wakes wakes;

    RedisBroker(RedisStore store, RandomGenerator random) {
        this.store = store;
        this.jobs = new Jobs(store);
        this.admin = new RedisAdmin(store, jobs);
        this.cells = new RedisCells(store);
        this.housekeeping = new Housekeeping(store, random);
        this.enqueuing = new Enqueuing(store, jobs);
        this.settling = new Settling(store, jobs);
        this.leasing = new Leasing(store, settling);
        this.wakes = new Wakes(store);
    }

    /**
     * Connects to {@code redis://host:port/database} (or {@code rediss://}), in the namespace {@code belay}.
     *
     * @throws BrokerException where the server can't be reached, or can't be used
     */
    public static RedisBroker open(String address) {
        return builder(address).open();
    }

    /** For a broker with settings of its own. */
    public static RedisBrokerBuilder builder(String address) {
        return new RedisBrokerBuilder(address);
    }

    @Override
    public Capabilities capabilities() {
        return CAPABILITIES;
    }

    @Override
    public String namespace() {
        return store.namespace;
    }

    @Override
    public NamespaceSettings settings() {
        store.checkOpen();
        return store.settings();
    }

    @Override
    public Registration register(SessionSpec spec) {
        store.checkOpen();
        store.register(spec.queue());
        var answer = store.run(
                Script.REGISTER, spec.queue(), List.of(), List.of(Ids.bytes(spec.id()), SpecRecord.bytes(spec)));
        if (text(answer.get(0)).equals("used")) {
            throw rejected(
                    "session", "must be a fresh id for every try to register, but " + spec.id() + " was used before");
        }
        store.registered(spec.id(), spec.queue());
        known(spec);
        return new Registration(
                store.settings(), jobs.settings(spec.queue()), number(answer.get(2)) == 1, number(answer.get(1)));
    }

    /** Brings back what was put off for want of somebody who knows its type. */
    private void known(SessionSpec spec) {
        var cursor = "0";
        do {
            var arguments = new ArrayList<byte[]>();
            arguments.add(ascii(cursor));
            spec.types().forEach((type, version) -> {
                arguments.add(utf8(type));
                arguments.add(ascii(version));
            });
            cursor = text(
                    store.run(Script.KNOWN, spec.queue(), List.of(), arguments).get(0));
        } while (!cursor.equals("0"));
    }

    @Override
    public List<BeatReply> heartbeat(List<Beat> beats) {
        store.checkOpen();
        for (var beat : beats) {
            for (var progress : beat.progress().values()) {
                checked(() -> Limits.bytes("progress", Limits.utf8Length(progress), Limits.PROGRESS_BYTES));
            }
        }
        var quiet = new StoreVersion(store).isTooOld();
        return beats.stream().map(beat -> heartbeat(beat, quiet)).toList();
    }

    private BeatReply heartbeat(Beat beat, boolean quiet) {
        var queue = store.queueOf(beat.session());
        if (queue == null) {
            return BeatReply.ENDED;
        }
        var arguments = new ArrayList<byte[]>(List.of(Ids.bytes(beat.session()), ascii(beat.lastCommand())));
        beat.progress().forEach((lease, progress) -> {
            if (lease.session().equals(beat.session()) && lease.queue().equals(queue)) {
                arguments.add(Ids.bytes(lease.job()));
                arguments.add(ascii(lease.token()));
                arguments.add(utf8(progress));
            }
        });
        var answer = store.run(Script.HEARTBEAT, queue, List.of(beat.session()), arguments);
        if (text(answer.get(0)).equals("ENDED")) {
            store.gone(beat.session());
            return BeatReply.ENDED;
        }
        var commands = new ArrayList<Command>();
        list(answer.get(1)).forEach(command -> commands.add(command(list(command))));
        return new BeatReply(
                false, List.copyOf(commands), number(answer.get(2)) == 1, quiet, (int) number(answer.get(3)));
    }

    private static Command command(List<Object> command) {
        var number = number(command.get(0));
        return switch (text(command.get(1))) {
            case "GO_QUIET" -> new Command.GoQuiet(number);
            case "RESUME" -> new Command.Resume(number);
            case "DRAIN" -> new Command.Drain(number);
            default -> new Command.LeaseRevoked(number, Ids.job(bytes(command.get(2))), number(command.get(3)));
        };
    }

    @Override
    public List<Death> endSessions(List<SessionId> sessions) {
        store.checkOpen();
        var deaths = new ArrayList<Death>();
        for (var session : sessions) {
            var queue = store.queueOf(session);
            if (queue != null) {
                deaths.addAll(Replies.deaths(
                        queue, store.run(Script.END, queue, List.of(session), List.of(Ids.bytes(session)))));
                store.gone(session);
            }
        }
        return List.copyOf(deaths);
    }

    @Override
    public List<Verdict> enqueue(EnqueueCall call) {
        store.checkOpen();
        return enqueuing.enqueue(call);
    }

    @Override
    public LeaseReply lease(LeaseRequest request) {
        store.checkOpen();
        return leasing.lease(request);
    }

    @Override
    public Verdict begin(LeaseId lease) {
        var answer = store.run(
                Script.BEGIN,
                lease.queue(),
                List.of(lease.session()),
                List.of(Ids.bytes(lease.session()), Ids.bytes(lease.job()), ascii(lease.token())));
        return switch (text(answer.get(0))) {
            case "ENDED" -> Verdict.ENDED;
            case "STALE" -> Verdict.STALE;
            case "BUSY" -> Verdict.BUSY;
            default -> Verdict.APPLIED;
        };
    }

    @Override
    public List<Boolean> held(List<LeaseId> leases) {
        store.checkOpen();
        return leases.stream().map(jobs::isHeld).toList();
    }

    @Override
    public ReconcileReply reconcile(SessionId session, long number) {
        store.checkOpen();
        var queue = store.queueOf(session);
        if (queue == null) {
            return new ReconcileReply(number, true, List.of());
        }
        var answer = store.run(Script.RECONCILE, queue, List.of(session), List.of(Ids.bytes(session), ascii(number)));
        if (text(answer.get(0)).equals("ENDED")) {
            return new ReconcileReply(number, true, List.of());
        }
        var held = new ArrayList<LeaseId>();
        for (var i = 1; i < answer.size(); i += 2) {
            held.add(new LeaseId(queue, Ids.job(bytes(answer.get(i))), number(answer.get(i + 1)), session));
        }
        return new ReconcileReply(number, false, List.copyOf(held));
    }

    @Override
    public List<Verdict> settle(String queue, List<Settlement> settlements) {
        store.checkOpen();
        checked(() -> Limits.name("queue", queue));
        if (settlements.isEmpty()) {
            return List.of();
        }
        for (var settlement : settlements) {
            if (!settlement.lease().queue().equals(queue)) {
                throw rejected("queue", "a settlement of " + settlement.lease() + " is in a call for '" + queue + "'");
            }
        }
        return settling.settle(queue, settlements);
    }

    @Override
    public PromoteReply promote(String queue, Duration interval) {
        checked(() -> Limits.name("queue", queue));
        return housekeeping.promote(queue, interval);
    }

    @Override
    public ReapReply reap() {
        store.checkOpen();
        return housekeeping.reap();
    }

    @Override
    public PruneReply prune() {
        store.checkOpen();
        return housekeeping.prune();
    }

    @Override
    public void record(List<TimesDelta> times) {
        store.checkOpen();
        for (var delta : times) {
            checked(() -> {
                Limits.name("queue", delta.queue());
                Limits.name("type", delta.type());
            });
        }
        for (var delta : times) {
            var buckets = ByteBuffer.wrap(delta.histogram().toBytes());
            var arguments = new ArrayList<byte[]>();
            while (buckets.remaining() >= 12) {
                arguments.add(utf8(delta.type()));
                arguments.add(ascii(delta.kind().name()));
                arguments.add(ascii(buckets.getInt()));
                arguments.add(ascii(buckets.getLong()));
            }
            if (!arguments.isEmpty()) {
                store.register(delta.queue());
                store.run(Script.RECORD, delta.queue(), List.of(), arguments);
            }
        }
    }

    @Override
    public Subscription listen(String queue, Runnable onSignal) {
        store.checkOpen();
        checked(() -> Limits.name("queue", queue));
        return wakes.listen(queue, onSignal);
    }

    @Override
    public BrokerAdmin admin() {
        store.checkOpen();
        return admin;
    }

    @Override
    public Cells cells() {
        store.checkOpen();
        return cells;
    }

    @Override
    public void close() {
        wakes.close();
        store.close();
    }

    /** Drops the connection, as a fault would: for tests. */
    void breakConnection() {
        store.link.breakConnection();
    }

    RedisStore store() {
        return store;
    }

    /** Something that refuses bad input. */
    interface Check {
        void run();
    }

    static void checked(Check check) {
        try {
            check.run();
        } catch (InvalidInputException e) {
            throw new BrokerException.Rejected(e);
        }
    }

    static BrokerException.Rejected rejected(String field, String problem) {
        return new BrokerException.Rejected(new InvalidInputException(field, problem));
    }

    @Override
    public String toString() {
        return "RedisBroker[" + store.link.name() + ", namespace " + store.namespace + "]";
    }
}
