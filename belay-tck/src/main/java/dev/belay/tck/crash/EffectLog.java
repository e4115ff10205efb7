package dev.belay.tck.crash;

import dev.belay.job.JobId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The effect counter of processes: a file to which each appends a line at the start and at the end of a run, by one write
 * each, so that what a killed process did is there to the last line. Thread-safe.
 */
final class EffectLog implements AutoCloseable {

    /**
     * A line.
     *
     * @param isStart false for the end of a run
     * @param millis by the process's clock
     */
    record Line(boolean isStart, JobId job, int attempt, int delivery, long token, long pid, long millis) {

        private static Line parse(String text) {
            var fields = text.split(" ");
            return new Line(
                    fields[0].equals("S"),
                    JobId.parse(fields[1]),
                    Integer.parseInt(fields[2]),
                    Integer.parseInt(fields[3]),
                    Long.parseLong(fields[4]),
                    Long.parseLong(fields[5]),
                    Long.parseLong(fields[6]));
        }
    }

    private final Path file;
    private final FileChannel channel;

    EffectLog(Path file) {
        this.file = file;
        try {
            channel = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path file() {
        return file;
    }

    void append(boolean start, dev.belay.handler.JobContext context) {
        var line = (start ? "S " : "E ") + context.job().id() + " " + context.attempt() + " " + context.delivery() + " "
                + context.token() + " " + ProcessHandle.current().pid() + " " + System.currentTimeMillis() + "\n";
        try {
            var bytes = ByteBuffer.wrap(line.getBytes(StandardCharsets.US_ASCII));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<Line> lines() {
        try {
            var lines = new ArrayList<Line>();
            for (var line : Files.readAllLines(file, StandardCharsets.US_ASCII)) {
                lines.add(Line.parse(line));
            }
            return lines;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The runs of a job that have begun. */
    List<Line> starts(JobId job) {
        return lines().stream()
                .filter(line -> line.isStart() && line.job().equals(job))
                .toList();
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
