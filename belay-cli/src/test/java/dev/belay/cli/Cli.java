package dev.belay.cli;

import dev.belay.cli.shell.Console;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs the command in this process, and catches what it says. */
public final class Cli {

    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private final String broker;
    private String input = "";
    private boolean terminal;

    private Cli(String broker) {
        this.broker = broker;
    }

    public static Cli on(String broker) {
        return new Cli(broker);
    }

    /** With a person at the terminal, who types this. */
    public Cli typing(String text) {
        input = text;
        terminal = true;
        return this;
    }

    /** Runs a command on the broker. */
    public Said run(String... arguments) {
        var all = new ArrayList<>(List.of(arguments));
        all.add("--broker=" + broker);
        return bare(all.toArray(String[]::new));
    }

    /** Runs a command as it stands. */
    public Said bare(String... arguments) {
        var out = new ByteArrayOutputStream();
        var err = new ByteArrayOutputStream();
        var console = new Console(print(out), print(err), new StringReader(input), terminal, false);
        var exit = Main.run(console, arguments);
        return new Said(exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    private static PrintStream print(ByteArrayOutputStream to) {
        return new PrintStream(to, true, StandardCharsets.UTF_8);
    }

    /** What a command said. */
    public record Said(int exit, String out, String err) {

        public JsonNode json() {
            var lines = out.strip().lines().toList();
            return MAPPER.readTree(lines.get(lines.size() - 1));
        }
    }
}
