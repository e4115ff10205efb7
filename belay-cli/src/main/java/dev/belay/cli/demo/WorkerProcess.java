package dev.belay.cli.demo;

import dev.belay.cli.demo.world.World;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A worker in a process of its own: {@code belay worker}, run by this Java from this program's own classes. */
final class WorkerProcess {

    private static final int LOG_LINES = 5;
    private static final long STOP_SECONDS = 15;

    private final String name;
    private final Process process;
    private final Path log;
    private volatile boolean endExpected;

    private WorkerProcess(String name, Process process, Path log) {
        this.name = name;
        this.process = process;
        this.log = log;
    }

    static WorkerProcess start(String name, Store store, World.Address world, Path folder) {
        var log = folder.resolve(name + ".log");
        var command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx192m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.belay.cli.Main",
                "worker",
                "--end-with-input",
                "--name=" + name,
                "--broker=" + store.address(),
                "--namespace=" + store.namespace(),
                "--smtp-port=" + world.smtpPort(),
                "--crm=" + world.crm(),
                "--payments=" + world.payments(),
                "--folder=" + folder);
        try {
            var process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            return new WorkerProcess(name, process, log);
        } catch (IOException e) {
            throw new UncheckedIOException("worker " + name + " can't be started with " + command.get(0), e);
        }
    }

    String name() {
        return name;
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Whether it ended although nobody ended it. */
    boolean endedUnasked() {
        return !process.isAlive() && !endExpected;
    }

    /** SIGKILL: it has no say in it. */
    void kill() {
        endExpected = true;
        process.destroyForcibly();
    }

    /** SIGTERM: it may finish what it does. */
    void askToStop() {
        endExpected = true;
        process.destroy();
    }

    /** Waits for its end; kills it where that takes too long. Answers whether it stopped by itself. */
    boolean awaitStop() throws InterruptedException {
        if (process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
            return true;
        }
        process.destroyForcibly().waitFor();
        return false;
    }

    /** What it said last. */
    String lastWords() {
        try {
            var lines = Files.readAllLines(log, StandardCharsets.UTF_8);
            return String.join(" | ", lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size()));
        } catch (IOException e) {
            return "(its log " + log + " can't be read: " + e.getMessage() + ")";
        }
    }
}
