package dev.belay.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every piece of Java in the documentation is, to the letter, code that is compiled here. */
class SnippetsTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern IN_CODE =
            Pattern.compile("^ *// snippet: (\\S+)\n(.*?)^ *// end$", Pattern.MULTILINE | Pattern.DOTALL);
    private static final Pattern IN_DOCS =
            Pattern.compile("(?:<!-- snippet: (\\S+) -->\n)?```java\n(.*?)```", Pattern.DOTALL);

    @TestFactory
    Stream<DynamicTest> everySnippetIsCodeThatRuns() throws IOException {
        var code = code();
        try (var docs = Files.walk(ROOT.resolve("docs"))) {
            return Stream.concat(Stream.of(ROOT.resolve("README.md")), docs.filter(this::isDocument))
                    .flatMap(document -> tests(document, code))
                    .toList()
                    .stream();
        }
    }

    private boolean isDocument(Path path) {
        return path.toString().endsWith(".md") && !path.toString().contains("decisions");
    }

    private Stream<DynamicTest> tests(Path document, Map<String, String> code) {
        var found = IN_DOCS.matcher(read(document));
        return found
                .results()
                .map(snippet -> DynamicTest.dynamicTest(ROOT.relativize(document) + ": " + snippet.group(1), () -> {
                    assertThat(snippet.group(1))
                            .as("a name for the snippet %s", snippet.group(2))
                            .isNotNull();
                    assertThat(unindented(snippet.group(2))).isEqualTo(code.get(snippet.group(1)));
                }))
                .toList()
                .stream();
    }

    private static Map<String, String> code() throws IOException {
        var code = new HashMap<String, String>();
        try (var sources = Files.walk(Path.of("src/test/java/dev/belay/docs"))) {
            for (var source :
                    sources.filter(path -> path.toString().endsWith(".java")).toList()) {
                IN_CODE.matcher(read(source))
                        .results()
                        .forEach(snippet -> code.put(snippet.group(1), unindented(snippet.group(2))));
            }
        }
        return code;
    }

    private static String unindented(String text) {
        List<String> lines = text.lines().toList();
        var indent = lines.stream()
                .filter(line -> !line.isBlank())
                .mapToInt(line -> line.length() - line.stripLeading().length())
                .min()
                .orElse(0);
        return lines.stream()
                .map(line -> line.isBlank() ? "" : line.substring(indent))
                .collect(Collectors.joining("\n"))
                .strip();
    }

    private static String read(Path path) {
        try {
            return Files.readString(path);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
