package dev.belay.cli.demo;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The command in a process of its own, from the class path of the tests. Remembers every process that it starts. */
final class Program implements AutoCloseable {

    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private final Process process;
    private final Path out;
    private final Path err;
    private final Set<ProcessHandle> children = ConcurrentHashMap.newKeySet();

    private Program(Process process, Path out, Path err) {
        this.process = process;
        this.out = out;
        this.err = err;
    }

    static Program start(Path folder, String... arguments) throws IOException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djava.io.tmpdir=" + folder,
                "-cp",
                System.getProperty("java.class.path"),
                "dev.belay.cli.Main"));
        command.addAll(List.of(arguments));
        var out = folder.resolve("out.txt");
        var err = folder.resolve("err.txt");
        var process = new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        return new Program(process, out, err);
    }

    /** The processes that it has started so far. */
    Set<ProcessHandle> children() {
        process.descendants().forEach(children::add);
        return children;
    }

    Process process() {
        return process;
    }

    /** Waits for its end, looking for children all the while. */
    int awaitExit(int seconds) throws InterruptedException {
        var deadline = System.nanoTime() + seconds * 1_000_000_000L;
        while (!process.waitFor(100, TimeUnit.MILLISECONDS)) {
            children();
            if (System.nanoTime() > deadline) {
                throw new AssertionError("not over within " + seconds + " s: " + err());
            }
        }
        return process.exitValue();
    }

    /** The last line of its output. */
    JsonNode json() throws IOException {
        var lines = Files.readAllLines(out, StandardCharsets.UTF_8);
        return MAPPER.readTree(lines.get(lines.size() - 1));
    }

    String err() {
        try {
            return Files.readString(err, StandardCharsets.UTF_8);
        } catch (IOException e) {
            return e.toString();
        }
    }

    @Override
    public void close() throws InterruptedException {
        children().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().waitFor();
    }
}
