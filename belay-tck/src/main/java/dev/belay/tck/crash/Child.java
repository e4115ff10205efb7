package dev.belay.tck.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** A child process of a test, seen from the test. Ended with the test, whatever happens. */
public final class Child implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Process process;
    private final List<String> signals = new CopyOnWriteArrayList<>();
    private final List<String> log = new CopyOnWriteArrayList<>();
    private final List<Thread> readers;

    /** What it tells and what it logs come by pipes of their own: within one, half a line of log could hide a signal. */
    private Child(Process process) {
        this.process = process;
        readers = List.of(reader("out", process.getInputStream()), reader("err", process.getErrorStream()));
    }

    private Thread reader(String name, InputStream stream) {
        var reader = new Thread(() -> read(stream), "tck-child-" + process.pid() + "-" + name);
        reader.start();
        return reader;
    }

    /** Starts a main class with this JVM's own class path. */
    public static Child start(Class<?> main, List<String> arguments) {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // Quick to start, small, and not in the way of the others.
        command.addAll(List.of("-Xmx96m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-cp"));
        command.add(System.getProperty("java.class.path"));
        command.add(main.getName());
        command.addAll(arguments);
        try {
            return new Child(new ProcessBuilder(command).start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read(InputStream stream) {
        try (var lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                (line.startsWith(Signals.MARK) ? signals : log).add(line);
            }
        } catch (IOException e) {
            log.add("the child's output ended: " + e);
        }
    }

    /** What it told at a step, so far: the detail of each. */
    public List<String> told(String step) {
        var prefix = Signals.MARK + step + " ";
        return signals.stream()
                .filter(line -> line.startsWith(prefix))
                .map(line -> line.substring(prefix.length()))
                .toList();
    }

    /** Waits until it has told a step so many times. */
    public Child await(String step, int times) {
        org.awaitility.Awaitility.await()
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(5))
                .untilAsserted(() -> assertThat(told(step))
                        .as("times that the process told '%s'; it said: %s", step, this)
                        .hasSizeGreaterThanOrEqualTo(times));
        return this;
    }

    public Child awaitReady() {
        return await("ready", 1);
    }

    /** Lets it go on where it waits. */
    public void go() {
        try {
            var in = process.getOutputStream();
            in.write("go\n".getBytes(StandardCharsets.UTF_8));
            in.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** SIGKILL; returns once it is dead. */
    public void kill() {
        process.destroyForcibly();
        exitCode();
    }

    /** Sends a signal: {@code STOP}, {@code CONT}, {@code TERM}, {@code INT}. */
    public void signal(String name) {
        try {
            var kill = new ProcessBuilder("kill", "-" + name, String.valueOf(pid()))
                    .inheritIO()
                    .start();
            assertThat(kill.waitFor()).as("exit code of kill -%s", name).isZero();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for its end. */
    public int exitCode() {
        try {
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                throw new AssertionError("a child process did not end: " + this);
            }
            for (var reader : readers) {
                reader.join();
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while a child process ended", e);
        }
    }

    @Override
    public void close() {
        kill();
    }

    @Override
    public String toString() {
        var all = new ArrayList<>(signals);
        all.addAll(log.subList(Math.max(0, log.size() - 30), log.size()));
        return "process " + pid() + ": " + String.join("\n", all);
    }
}
