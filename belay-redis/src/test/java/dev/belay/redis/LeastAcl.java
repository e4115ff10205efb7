package dev.belay.redis;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The least that a user of the server must be allowed, as the documentation gives it. */
final class LeastAcl {

    private static final Path DOCUMENT = Path.of("../docs/brokers/redis.md");

    private LeastAcl() {}

    /**
     * The rules of the documentation's line {@code ACL SETUSER …}: what stands there is what is tested.
     *
     * @param keys what takes the place of the patterns of keys; empty for those of the documentation
     */
    static List<String> rules(String keys) {
        try {
            var line = Files.readAllLines(DOCUMENT).stream()
                    .filter(one -> one.startsWith("ACL SETUSER "))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException(DOCUMENT + " has no line ACL SETUSER"));
            return List.of(line.split(" ")).stream()
                    .skip(3)
                    .filter(rule -> keys.isEmpty() || !rule.startsWith("~"))
                    .map(rule -> rule.startsWith(">") ? ">secret" : rule)
                    .toList();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
