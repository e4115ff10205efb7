package dev.belay.cli.shell;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where a command writes and asks. All text is cleaned on its way out, so nothing that came from a store can act on the
 * terminal. Writes UTF-8, whatever the platform thinks.
 */
public final class Console {

    private final PrintStream out;
    private final PrintStream err;
    private final BufferedReader in;
    private final boolean terminal;
    private final boolean styled;
    private boolean rewriting;

    public Console(PrintStream out, PrintStream err, Reader in, boolean terminal, boolean styled) {
        this.out = out;
        this.err = err;
        this.in = new BufferedReader(in);
        this.terminal = terminal;
        this.styled = styled;
    }

    /** The process's own. */
    public static Console ofProcess() {
        var terminal = isProcessAtTerminal();
        return new Console(
                utf8(FileDescriptor.out),
                utf8(FileDescriptor.err),
                new InputStreamReader(System.in, StandardCharsets.UTF_8),
                terminal,
                isStyled(terminal, System.getenv()));
    }

    /** What the widely used variables say; without them, a terminal is styled and anything else is not. */
    static boolean isStyled(boolean terminal, Map<String, String> environment) {
        if (environment.containsKey("NO_COLOR")) {
            return false;
        }
        var forced = environment.getOrDefault("FORCE_COLOR", "");
        return (!forced.isEmpty() && !forced.equals("0")) || (terminal && !"dumb".equals(environment.get("TERM")));
    }

    /** Until Java 21, a console is there only if input and output are a terminal; from 22 on it must be asked. */
    @SuppressWarnings("SystemConsoleNull")
    private static boolean isProcessAtTerminal() {
        var console = System.console();
        if (console == null) {
            return false;
        }
        try {
            return (boolean) java.io.Console.class.getMethod("isTerminal").invoke(console);
        } catch (NoSuchMethodException e) {
            return true;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Console.isTerminal is public and throws nothing", e);
        }
    }

    /** Where the command line's help goes. */
    public PrintWriter outWriter() {
        return new PrintWriter(out, true, StandardCharsets.UTF_8);
    }

    /** Where the command line's complaints go. */
    public PrintWriter errWriter() {
        return new PrintWriter(err, true, StandardCharsets.UTF_8);
    }

    /** Whether a person sits there. */
    public boolean isTerminal() {
        return terminal;
    }

    /** Writes pieces as one line: each a text, or a {@link Piece}. */
    public synchronized void line(Object... pieces) {
        endRewrite();
        out.println(joined(pieces));
    }

    /** Writes a block of lines. */
    public synchronized void block(String text) {
        endRewrite();
        out.println(Clean.block(text));
    }

    /** Writes finished JSON as one line. */
    public synchronized void json(String json) {
        endRewrite();
        out.println(Clean.json(json));
    }

    /** Writes a line beside the output proper. */
    public synchronized void note(Object... pieces) {
        endRewrite();
        err.println(joined(pieces));
    }

    /** Writes a block beside the output proper. */
    public synchronized void noteBlock(String text) {
        endRewrite();
        err.print(Clean.block(text));
        err.flush();
    }

    /** On a terminal, writes a line in the place of the one that was written so before. Elsewhere does nothing. */
    public synchronized void rewrite(Object... pieces) {
        if (terminal) {
            err.print("\r\u001b[2K" + joined(pieces));
            err.flush();
            rewriting = true;
        }
    }

    /** Asks a person a question; null where nobody sits there. */
    public synchronized @Nullable String ask(String question) {
        if (!terminal) {
            return null;
        }
        endRewrite();
        err.print(Clean.line(question) + " ");
        err.flush();
        try {
            var answer = in.readLine();
            return answer == null ? "" : answer.strip();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException("the answer can't be read", e);
        }
    }

    /** A piece of text in a style. */
    public static Piece styled(Style style, String text) {
        return new Piece(style, text);
    }

    /** A piece of text in a style. */
    public record Piece(Style style, String text) {}

    private String joined(Object... pieces) {
        var line = new StringBuilder();
        for (var piece : pieces) {
            if (piece instanceof Piece part) {
                var text = Clean.line(part.text());
                line.append(styled ? part.style().on(text) : text);
            } else {
                line.append(Clean.line(String.valueOf(piece)));
            }
        }
        return line.toString();
    }

    private void endRewrite() {
        if (rewriting) {
            err.print("\r\u001b[2K");
            err.flush();
            rewriting = false;
        }
    }

    private static PrintStream utf8(FileDescriptor descriptor) {
        return new PrintStream(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
    }
}
