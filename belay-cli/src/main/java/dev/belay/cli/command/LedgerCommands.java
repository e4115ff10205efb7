package dev.belay.cli.command;

import dev.belay.cli.shell.ByOptions;
import dev.belay.cli.shell.Console;
import dev.belay.cli.shell.ExitCode;
import dev.belay.cli.shell.Json;
import dev.belay.cli.shell.Problem;
import dev.belay.job.Limits;
import dev.belay.ledger.LedgerAdmin;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code belay ledger …}. */
public final class LedgerCommands {

    private LedgerCommands() {}

    public static CommandLine all(Console console) {
        return new CommandLine(
                        new Group(console, "The idempotency ledger: which effects happened, and which are in doubt."))
                .addSubcommand(new ListOpen(console))
                .addSubcommand(new ShowOne(console))
                .addSubcommand(new Resolve(console))
                .addSubcommand(new Release(console))
                .addSubcommand(new Audit(console));
    }

    @Command(
            name = "list",
            description = {
                "Lists the effects that are not completed, oldest first:",
                "those being made, those that failed for good, those that wait for a person."
            })
    static final class ListOpen extends LedgerCommand {

        @Option(names = "--unknown", description = "only those of which nobody knows whether they happened")
        private boolean unknown;

        @Mixin
        private LimitOption limit = new LimitOption();

        ListOpen(Console console) {
            super(console);
        }

        @Override
        int run(LedgerAdmin ledger) {
            var entries = unknown ? ledger.unknown(limit.value()) : ledger.open(null, limit.value());
            if (output.json()) {
                var json = Json.object();
                var array = json.putArray("effects");
                entries.forEach(entry -> array.add(LedgerText.json(entry)));
                console.json(Json.text(json));
            } else if (entries.isEmpty()) {
                console.line(unknown ? "no effect is in doubt" : "all effects are completed");
            } else {
                LedgerText.table(entries).print(console);
            }
            return ExitCode.DONE;
        }
    }

    /** A command on one effect. */
    abstract static class OnOne extends LedgerCommand {

        @Parameters(index = "0", paramLabel = "SCOPE", description = "the scope: in a job, NAMESPACE/TYPE")
        private String scope = "";

        @Parameters(index = "1", paramLabel = "KEY", description = "the effect's key")
        private String key = "";

        OnOne(Console console) {
            super(console);
        }

        abstract int run(LedgerAdmin ledger, String itsScope, String itsKey);

        @Override
        final int run(LedgerAdmin ledger) {
            Limits.text("scope", scope, 1, Limits.KEY);
            Limits.text("key", key, 1, Limits.KEY);
            return run(ledger, scope, key);
        }

        static Problem missing(String scope, String key) {
            return Problem.no(
                    "no effect '" + key + "' is recorded in scope '" + scope + "'",
                    "It was never made, was released, or has expired.");
        }

        int told(LedgerAdmin.Change change, String itsScope, String itsKey, String done, String hint) {
            switch (change) {
                case MISSING -> throw missing(itsScope, itsKey);
                case WRONG_STATE ->
                    throw Problem.no(
                            "effect '" + itsKey + "' in scope '" + itsScope + "' is not in a state that allows it",
                            hint);
                case DONE -> {
                    if (output.json()) {
                        console.json(Json.text(Json.object()
                                .put("scope", itsScope)
                                .put("key", itsKey)
                                .put("done", done)));
                    } else {
                        console.line("effect '" + itsKey + "' in scope '" + itsScope + "': " + done);
                    }
                }
            }
            return ExitCode.DONE;
        }
    }

    @Command(name = "show", description = "Shows an effect with all that is recorded of it.")
    static final class ShowOne extends OnOne {
        ShowOne(Console console) {
            super(console);
        }

        @Override
        int run(LedgerAdmin ledger, String scope, String key) {
            var entry = ledger.find(scope, key).orElseThrow(() -> missing(scope, key));
            if (output.json()) {
                console.json(Json.text(LedgerText.json(entry)));
            } else {
                LedgerText.print(console, entry);
            }
            return ExitCode.DONE;
        }
    }

    @Command(
            name = "resolve",
            description = {
                "Says of an effect whose outcome is unknown whether it happened. Then replay its job:",
                "it gets the result, or makes the effect."
            })
    static final class Resolve extends OnOne {

        @Option(names = "--happened", description = "it happened")
        private boolean happened;

        @Option(names = "--did-not-happen", description = "it did not happen: it may be made")
        private boolean didNotHappen;

        @Option(
                names = "--result",
                paramLabel = "JSON",
                description = "with --happened: what the call would have answered (default: nothing)")
        private @Nullable String result;

        @Mixin
        private ByOptions by = new ByOptions();

        Resolve(Console console) {
            super(console);
        }

        @Override
        int run(LedgerAdmin ledger, String scope, String key) {
            if (happened == didNotHappen || (didNotHappen && result != null)) {
                throw Problem.wrongUse(
                        "say either --happened, with --result where the call answers something, or --did-not-happen",
                        "Ask the provider by the key '" + key + "' which it is.");
            }
            var hint =
                    "Only one whose outcome is unknown can be resolved, or whose attempt is over: see 'ledger show'.";
            return happened
                    ? told(
                            ledger.happened(scope, key, result(), "json", by.by()),
                            scope,
                            key,
                            "recorded as happened",
                            hint)
                    : told(ledger.didNotHappen(scope, key, by.by()), scope, key, "free to be made", hint);
        }

        private byte @Nullable [] result() {
            if (result == null) {
                return null;
            }
            if (Json.raw(result) == null) {
                throw Problem.wrongUse(
                        "--result is no JSON: " + result, "A text needs its quotes: --result '\"ch-42\"'.");
            }
            return result.getBytes(StandardCharsets.UTF_8);
        }
    }

    @Command(name = "release", description = "Frees a key, whatever is recorded of it: the effect is made anew.")
    static final class Release extends OnOne {

        @Option(names = "--even-if-held", description = "also where somebody may be making it just now")
        private boolean evenIfHeld;

        @Mixin
        private ByOptions by = new ByOptions();

        Release(Console console) {
            super(console);
        }

        @Override
        int run(LedgerAdmin ledger, String scope, String key) {
            return told(
                    ledger.release(scope, key, evenIfHeld, by.by()),
                    scope,
                    key,
                    "released",
                    "Somebody may be making it just now; --even-if-held releases it all the same.");
        }
    }

    @Command(name = "audit", description = "Lists what people did to the ledger, newest first.")
    static final class Audit extends LedgerCommand {

        @Mixin
        private LimitOption limit = new LimitOption();

        Audit(Console console) {
            super(console);
        }

        @Override
        int run(LedgerAdmin ledger) {
            var entries = ledger.audit(limit.value());
            if (output.json()) {
                console.json(Json.text(LedgerText.json(entries)));
            } else if (entries.isEmpty()) {
                console.line("nobody has changed anything");
            } else {
                LedgerText.auditTable(entries).print(console);
            }
            return ExitCode.DONE;
        }
    }
}
