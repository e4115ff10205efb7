package dev.belay.ledger;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A payment provider that outlives the processes that ask it: a file with a line for each time it was asked. */
final class Provider {

    private final Path file;
    private final FileChannel channel;

    Provider(Path file) {
        this.file = file;
        try {
            channel = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** By one write, so that it is there to the last byte whoever is killed. */
    void charge(String key) {
        try {
            var line = ByteBuffer.wrap((key + "\n").getBytes(StandardCharsets.UTF_8));
            while (line.hasRemaining()) {
                channel.write(line);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** How often it was asked, by key. One that recognises a key charges once for it. */
    Map<String, Long> asked() {
        try {
            return Files.readAllLines(file).stream()
                    .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
