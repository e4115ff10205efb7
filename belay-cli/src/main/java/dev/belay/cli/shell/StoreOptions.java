package dev.belay.cli.shell;

import dev.belay.broker.Broker;
import dev.belay.broker.BrokerException;
import dev.belay.job.Addresses;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Which store a command works on. */
public final class StoreOptions {

    private static final String SQLITE = "sqlite:";

    @Option(
            names = "--broker",
            paramLabel = "ADDRESS",
            defaultValue = "${BELAY_BROKER:-sqlite:belay.db}",
            description =
                    "the store: sqlite:PATH, postgresql://USER:PASSWORD@HOST:PORT/DATABASE or redis://HOST:PORT/DATABASE"
                            + " (default: $BELAY_BROKER, else sqlite:belay.db)")
    private String broker = "";

    @Option(
            names = "--namespace",
            paramLabel = "NAME",
            defaultValue = "${BELAY_NAMESPACE:-belay}",
            description = "the namespace in it (default: $BELAY_NAMESPACE, else belay)")
    private String namespace = "";

    public String address() {
        return broker;
    }

    /** The address as it may be shown. */
    public String shown() {
        return Addresses.withoutSecrets(broker);
    }

    public String namespace() {
        return namespace;
    }

    /** Opens a store that must be there: a typo does not create an empty one. */
    public Broker openExisting() {
        file(broker).ifPresent(path -> {
            if (!Files.exists(path)) {
                throw Problem.unreachable(
                        "there is no store at " + path.toAbsolutePath() + " (--broker " + broker + ")",
                        "Name the file with --broker sqlite:PATH; belay demo, worker and bench create one.",
                        null);
            }
        });
        return open(broker, namespace);
    }

    /** Opens a store, and creates it where it is not there yet. */
    public Broker openOrCreate() {
        return open(broker, namespace);
    }

    /** Opens a store by address. */
    public static Broker open(String address, String namespace) {
        try {
            return Broker.open(address, namespace);
        } catch (BrokerException e) {
            throw Problem.unreachable(
                    "the store " + Addresses.withoutSecrets(address) + " can't be opened: " + e.getMessage(),
                    "Check that the path is right, readable and writable, and is a store of Belay.",
                    e);
        }
    }

    /** The file of a store that is one. */
    public static Optional<Path> file(String address) {
        if (!address.startsWith(SQLITE)) {
            return Optional.empty();
        }
        var rest = address.substring(SQLITE.length());
        var options = rest.indexOf('?');
        try {
            return Optional.of(Path.of(options < 0 ? rest : rest.substring(0, options)));
        } catch (InvalidPathException e) {
            throw Problem.wrongUse("--broker " + address + " names no file: " + e.getReason(), "Use sqlite:PATH.");
        }
    }
}
