package dev.belay.cli.shell;

import dev.belay.broker.BrokerException;
import dev.belay.job.InvalidInputException;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Turns what a command throws into two lines and an exit code. */
public final class Errors implements IExecutionExceptionHandler, IParameterExceptionHandler {

    private final Console console;

    public Errors(Console console) {
        this.console = console;
    }

    @Override
    public int handleParseException(ParameterException e, String[] args) {
        var message = String.valueOf(e.getMessage());
        if (e instanceof UnmatchedArgumentException unmatched) {
            var meant = meant(e.getCommandLine(), unmatched.getUnmatched().get(0));
            message += meant == null ? "" : ": did you mean " + meant + "?";
        }
        say(message, "See " + e.getCommandLine().getCommandSpec().qualifiedName() + " --help.");
        return ExitCode.WRONG_USE;
    }

    @Override
    public int handleExecutionException(Exception e, CommandLine command, ParseResult parsed) {
        if (System.getProperty("belay.log.stack", "").equals("%ex")) {
            var trace = new java.io.StringWriter();
            e.printStackTrace(new java.io.PrintWriter(trace));
            console.noteBlock(trace.toString());
        }
        if (e instanceof Problem problem) {
            say(String.valueOf(problem.getMessage()), problem.hint() == null ? "" : problem.hint());
            return problem.exitCode();
        }
        if (e instanceof InvalidInputException || e instanceof BrokerException.Rejected) {
            say(
                    String.valueOf(e.getMessage()),
                    "See " + command.getCommandSpec().qualifiedName() + " --help.");
            return ExitCode.WRONG_USE;
        }
        if (e instanceof BrokerException) {
            say("the broker did not answer: " + e.getMessage(), "Try again; belay doctor tells how the store is.");
            return ExitCode.UNREACHABLE;
        }
        say("unexpected: " + e, "Run it again with --verbose to see where.");
        return ExitCode.NO;
    }

    /** The command or option whose name is nearest to what was typed; null where none is near. */
    private static @Nullable String meant(CommandLine command, String typed) {
        var names = new ArrayList<>(command.getSubcommands().keySet());
        names.addAll(command.getCommandSpec().optionsMap().keySet());
        String nearest = null;
        var least = 3;
        for (var name : names) {
            var distance = distance(name, typed.contains("=") ? typed.substring(0, typed.indexOf('=')) : typed);
            if (distance < least) {
                least = distance;
                nearest = name;
            }
        }
        return nearest;
    }

    /** How many letters must be added, removed or changed (Levenshtein). */
    private static int distance(String a, String b) {
        var row = new int[b.length() + 1];
        for (var j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (var i = 1; i <= a.length(); i++) {
            var diagonal = row[0];
            row[0] = i;
            for (var j = 1; j <= b.length(); j++) {
                var above = row[j];
                var same = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                row[j] = Math.min(Math.min(above, row[j - 1]) + 1, diagonal + same);
                diagonal = above;
            }
        }
        return row[b.length()];
    }

    private void say(String message, String hint) {
        console.note(Console.styled(Style.BAD, "error: "), message);
        if (!hint.isEmpty()) {
            console.note(hint);
        }
    }
}
