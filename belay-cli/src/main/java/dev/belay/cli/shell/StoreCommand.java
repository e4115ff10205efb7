package dev.belay.cli.shell;

import dev.belay.broker.Broker;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;

/** A command that works on a store which is there. */
public abstract class StoreCommand implements Callable<Integer> {

    protected final Console console;

    @Mixin
    protected StoreOptions store = new StoreOptions();

    @Mixin
    protected OutputOptions output = new OutputOptions();

    protected StoreCommand(Console console) {
        this.console = console;
    }

    @Override
    public final Integer call() throws Exception {
        try (var broker = store.openExisting()) {
            return run(broker);
        }
    }

    /** Does it; answers the exit code. */
    protected abstract int run(Broker broker) throws Exception;
}
