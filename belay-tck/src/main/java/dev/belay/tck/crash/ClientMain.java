package dev.belay.tck.crash;

import dev.belay.Belay;
import dev.belay.broker.Broker;
import dev.belay.handler.Codecs;
import dev.belay.tck.Store;
import dev.belay.tck.engine.TextCodec;

/** A client process: enqueues one job after the other, and tells {@code accepted} for each once its enqueue has returned. */
public final class ClientMain {

    private ClientMain() {}

    /** Arguments: address, count. */
    public static void main(String[] args) {
        var arguments = new Arguments(args);
        var signals = new Signals(arguments.set("hold"));
        var belay = Belay.builder(Broker.open(arguments.get("address"), Store.NAMESPACE))
                .codecs(Codecs.of(new TextCodec()))
                .build();
        signals.tell("ready", ProcessHandle.current().pid());
        for (var i = 0; i < Integer.parseInt(arguments.get("count")); i++) {
            var request = CrashSuite.MANY.with("job " + i);
            signals.tell("sending", request.id());
            signals.tell("accepted", belay.enqueue(request).id());
        }
        signals.tell("done", "");
        System.exit(0);
    }
}
