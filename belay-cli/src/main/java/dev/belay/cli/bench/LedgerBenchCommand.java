package dev.belay.cli.bench;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.belay.cli.shell.Console;
import dev.belay.cli.shell.ExitCode;
import dev.belay.cli.shell.Json;
import dev.belay.cli.shell.OutputOptions;
import dev.belay.cli.shell.StoreOptions;
import dev.belay.job.Addresses;
import dev.belay.job.Limits;
import dev.belay.ledger.JdbcLedger;
import dev.belay.ledger.LedgerBuilder;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/** {@code belay bench ledger}. */
@Command(
        name = "ledger",
        description = {
            "Measures effects through the ledger, and beside them, pair by pair, two bare transactions by plain JDBC.",
            "Prints JSON: microseconds; ratios are the ledger over the bare statements. One caller, no contention.",
            "Leaves in the ledger what it recorded, in the scope 'bench'."
        })
public final class LedgerBenchCommand implements Callable<Integer> {

    private final Console console;

    @Option(
            names = "--ledger",
            paramLabel = "ADDRESS",
            defaultValue = "sqlite:belay-bench-ledger.db",
            description = "the ledger: sqlite:PATH or jdbc:postgresql:… (default: sqlite:belay-bench-ledger.db)")
    private String address = "";

    @Option(
            names = "--effects",
            paramLabel = "N",
            defaultValue = "2000",
            description = "effects in each step (default: 2000)")
    private int effects;

    @Option(
            names = "--keys",
            paramLabel = "N",
            defaultValue = "0",
            description = "keys that are recorded beforehand, in both tables (default: 0)")
    private int keys;

    @Option(
            names = "--pairs",
            paramLabel = "N",
            defaultValue = "10",
            description = "pairs after the warm-up (default: 10)")
    private int pairs;

    // Read before anything is logged; there is no other form of output to choose.
    @SuppressWarnings("UnusedVariable")
    @Mixin
    private OutputOptions output = new OutputOptions();

    public LedgerBenchCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws Exception {
        Limits.range("--effects", effects, 10, 1_000_000);
        Limits.range("--keys", keys, 0, 100_000_000);
        Limits.range("--pairs", pairs, 1, 1_000);
        try (var source = source();
                var ledger = JdbcLedger.open(source);
                var load = new LedgerLoad(ledger, source)) {
            if (keys > 0) {
                console.note(keys + " keys");
                load.fill(keys);
            }
            console.note("warm-up");
            var warm = Math.max(1, effects / 2);
            load.twoTransactions(warm);
            load.reads(warm);
            load.effects(warm);
            load.recorded(warm);
            console.json(Json.text(measured(load)));
        }
        return ExitCode.DONE;
    }

    private ObjectNode measured(LedgerLoad load) throws Exception {
        var bare = new Samples();
        var reads = new Samples();
        var once = new Samples();
        var recorded = new Samples();
        for (var i = 1; i <= pairs; i++) {
            bare.add(load.twoTransactions(effects));
            reads.add(load.reads(effects));
            once.add(load.effects(effects));
            recorded.add(load.recorded(effects));
            console.note("pair " + i + " of " + pairs);
        }
        var json = Json.object();
        json.put("ledger", Addresses.withoutSecrets(address));
        json.put("effects", effects);
        json.put("keys", keys);
        json.put("pairs", pairs);
        json.putObject("raw")
                .put("twoTransactionsUs", Ratios.rounded(bare.median(), 100))
                .put("readUs", Ratios.rounded(reads.median(), 100));
        json.put("onceUs", Ratios.rounded(once.median(), 100));
        json.put("recordedUs", Ratios.rounded(recorded.median(), 100));
        var ratios = new Ratios(json);
        ratios.put("once", once, bare);
        ratios.put("recorded", recorded, reads);
        return json;
    }

    /** Both sides by the same pool, so by the same settings of the database. */
    private HikariDataSource source() {
        var config = new HikariConfig();
        config.setJdbcUrl(
                StoreOptions.file(address).map(LedgerBuilder::sqliteUrl).orElse(address));
        config.setMaximumPoolSize(4);
        return new HikariDataSource(config);
    }
}
