package dev.belay.tck.crash;

import dev.belay.Belay;
import dev.belay.broker.Broker;
import dev.belay.handler.Codecs;
import dev.belay.handler.Enqueued;
import dev.belay.job.JobRequest;
import dev.belay.tck.Store;
import dev.belay.tck.engine.TextCodec;
import dev.belay.tck.transaction.Rows;
import java.sql.DriverManager;
import java.sql.SQLException;

/** A client process: enqueues one job after the other, and tells {@code accepted} for each once its enqueue has returned. */
public final class ClientMain {

    private ClientMain() {}

    /** Arguments: address, count, hold, jdbc: a URL, to enqueue each in a transaction with a row of its own. */
    public static void main(String[] args) throws SQLException {
        var arguments = new Arguments(args);
        var signals = new Signals(arguments.set("hold"));
        var belay = Belay.builder(Broker.open(arguments.get("address"), Store.NAMESPACE))
                .codecs(Codecs.of(new TextCodec()))
                .build();
        signals.tell("ready", ProcessHandle.current().pid());
        var url = arguments.get("jdbc", "");
        for (var i = 0; i < Integer.parseInt(arguments.get("count")); i++) {
            var request = CrashSuite.MANY.with("job " + i);
            signals.tell("sending", request.id());
            signals.tell(
                    "accepted",
                    (url.isEmpty() ? belay.enqueue(request) : inTransaction(signals, belay, url, request)).id());
        }
        signals.tell("done", "");
        System.exit(0);
    }

    private static Enqueued inTransaction(Signals signals, Belay belay, String url, JobRequest<?> request)
            throws SQLException {
        try (var connection = DriverManager.getConnection(url)) {
            connection.setAutoCommit(false);
            var answer = belay.enqueueIn(connection, request);
            Rows.add(connection, answer.id().toString());
            signals.reach("enqueued", answer.id());
            connection.commit();
            return answer;
        }
    }
}
