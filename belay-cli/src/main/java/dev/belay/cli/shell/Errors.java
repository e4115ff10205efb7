package dev.belay.cli.shell;

import dev.belay.broker.BrokerException;
import dev.belay.job.InvalidInputException;
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
        var message = new StringBuilder(String.valueOf(e.getMessage()));
        if (e instanceof UnmatchedArgumentException unmatched) {
            var alike = unmatched.getSuggestions();
            if (!alike.isEmpty()) {
                message.append(": did you mean ").append(alike.get(0)).append('?');
            }
        }
        say(
                message.toString(),
                "See " + e.getCommandLine().getCommandSpec().qualifiedName() + " --help.");
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
            say(String.valueOf(e.getMessage()), "See " + command.getCommandSpec().qualifiedName() + " --help.");
            return ExitCode.WRONG_USE;
        }
        if (e instanceof BrokerException) {
            say("the broker did not answer: " + e.getMessage(), "Try again; belay doctor tells how the store is.");
            return ExitCode.UNREACHABLE;
        }
        say("unexpected: " + e, "Run it again with --verbose to see where.");
        return ExitCode.NO;
    }

    private void say(String message, String hint) {
        console.note(Console.styled(Style.BAD, "error: "), message);
        if (!hint.isEmpty()) {
            console.note(hint);
        }
    }
}
