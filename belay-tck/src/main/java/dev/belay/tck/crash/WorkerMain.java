package dev.belay.tck.crash;

import dev.belay.Worker;
import dev.belay.broker.Broker;
import dev.belay.broker.LeaseReply;
import dev.belay.broker.Settlement;
import dev.belay.event.JobEvent;
import dev.belay.handler.Codecs;
import dev.belay.handler.JobContext;
import dev.belay.job.Outcome;
import dev.belay.tck.Proxies;
import dev.belay.tck.Store;
import dev.belay.tck.engine.TextCodec;
import dev.belay.tck.transaction.Rows;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A worker process. Tells {@code ready}, and for each job {@code leased}, {@code started}, {@code handled}, {@code settling}
 * and {@code settled}; {@link Signals} can hold it at each of these. The payload says what the handler does.
 */
public final class WorkerMain {

    private final Signals signals;
    private final EffectLog effects;
    private final boolean plain;
    private final String jdbcUrl;

    private WorkerMain(Arguments arguments) {
        signals = new Signals(arguments.set("hold"));
        effects = new EffectLog(Path.of(arguments.get("effects")));
        plain = arguments.get("plain", "false").equals("true");
        jdbcUrl = arguments.get("jdbc", "");
    }

    /** Arguments: address, effects, queues ({@code mail:4,reports:2}), hold, drain (ms), plain, name, jdbc (a URL). */
    public static void main(String[] args) throws Exception {
        var arguments = new Arguments(args);
        new WorkerMain(arguments).run(arguments);
    }

    private void run(Arguments arguments) throws Exception {
        var broker = Broker.open(arguments.get("address"), Store.NAMESPACE);
        var builder = Worker.on(watched(broker))
                .name(arguments.get("name", "worker"))
                .codecs(Codecs.of(new TextCodec()))
                .leaseDuration(CrashSuite.LEASE)
                .heartbeat(CrashSuite.HEARTBEAT)
                .poll(Duration.ofMillis(100))
                .reconnectBackoff(CrashSuite.RECONNECT)
                .drainTimeout(Duration.ofMillis(Long.parseLong(arguments.get("drain", "10000"))))
                .listen(this::hear);
        for (var queue : arguments.set("queues")) {
            var colon = queue.indexOf(':');
            builder.queue(queue.substring(0, colon), Integer.parseInt(queue.substring(colon + 1)));
        }
        for (var type : CrashSuite.TYPES) {
            builder.handle(type, this::handle);
        }
        var worker = builder.start();
        while (!worker.health().problems().isEmpty()) {
            TimeUnit.MILLISECONDS.sleep(5);
        }
        signals.tell("ready", ProcessHandle.current().pid());
        worker.awaitStop();
        signals.tell("stopped", worker.health());
        broker.close();
    }

    private void hear(JobEvent event) {
        signals.tell(
                "event",
                event.getClass().getSimpleName() + " " + event.job()
                        + (event instanceof JobEvent.Died died ? " " + died.reason() : ""));
    }

    private void handle(String payload, JobContext context) throws Exception {
        effects.append(true, context);
        context.onLeaseLost(() -> signals.tell("lost", context.job().id()));
        signals.reach("started", context.job().id());
        if (!plain) {
            obey(payload, context);
        }
        effects.append(false, context);
        signals.tell("handled", context.job().id());
    }

    private void obey(String payload, JobContext context) throws Exception {
        var words = payload.split(":", 2);
        switch (words[0]) {
            case "hold" -> signals.awaitGo();
            case "then" -> {
                signals.awaitGoStubbornly();
                then(words[1], context);
            }
            case "work" -> TimeUnit.MILLISECONDS.sleep(Long.parseLong(words[1]));
            case "steps" -> {
                for (var step = 0; ; step++) {
                    context.progress("step " + step);
                    signals.tell("progress", context.job().id() + " step " + step);
                    TimeUnit.MILLISECONDS.sleep(Long.parseLong(words[1]));
                }
            }
            case "write" -> write(context);
            case "halt" -> {
                signals.tell("halting", context.job().id());
                Runtime.getRuntime().halt(137);
            }
            default -> signals.tell("saw", payload);
        }
    }

    /** A row of the handler's own and the success of its job, in one transaction. */
    private void write(JobContext context) throws SQLException {
        try (var connection = DriverManager.getConnection(jdbcUrl)) {
            connection.setAutoCommit(false);
            Rows.add(connection, context.job().id().toString());
            context.completeIn(connection, "written");
            signals.reach("completing", context.job().id());
            connection.commit();
        }
        signals.reach("committed", context.job().id());
    }

    private static void then(String what, JobContext context) {
        switch (what) {
            case "succeed" -> context.result("the zombie's");
            case "fail" -> throw new IllegalStateException("the zombie's");
            case "snooze" -> throw context.snooze(Duration.ofHours(1));
            case "bury" -> throw context.bury("the zombie's");
            case "progress" -> context.progress("the zombie's");
            default -> throw new IllegalArgumentException(what);
        }
    }

    /** Not where a paused worker only gives back what it had no time to start. */
    private static boolean isAnyDone(Object[] args) {
        return ((List<?>) args[1]).stream().anyMatch(any -> !(((Settlement) any).outcome() instanceof Outcome.Release));
    }

    /** The same broker, with a step before and after what matters. */
    private Broker watched(Broker broker) {
        return Proxies.of(broker, (self, method, args) -> {
            var settle = method.getName().equals("settle") && isAnyDone(args);
            if (settle) {
                signals.reach("settling", ((List<?>) args[1]).size());
            }
            Object reply;
            try {
                reply = method.invoke(broker, args);
            } catch (InvocationTargetException e) {
                throw e.getCause() == null ? e : e.getCause();
            }
            if (settle) {
                signals.reach("settled", ((List<?>) args[1]).size());
            }
            if (reply instanceof LeaseReply leased && !leased.leases().isEmpty()) {
                signals.reach("leased", leased.leases().size());
            }
            return reply;
        });
    }
}
