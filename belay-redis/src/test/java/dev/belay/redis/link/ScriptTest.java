package dev.belay.redis.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What the scripts say of themselves is true. */
class ScriptTest {

    private static final Path SCRIPTS = Path.of("src/main/resources/dev/belay/redis/lua");
    private static final List<String> OF_THE_NAMESPACE = List.of("cell", "audit");

    static Stream<String> files() throws IOException {
        try (var files = Files.list(SCRIPTS)) {
            return files.map(file -> file.getFileName().toString().replace(".lua", "")).toList().stream();
        }
    }

    static Stream<String> filesOfQueues() throws IOException {
        return files().filter(name -> !OF_THE_NAMESPACE.contains(name));
    }

    @ParameterizedTest
    @MethodSource("filesOfQueues")
    void aFileDeclaresTheKeysThatItTouchesAndNoOthers(String name) {
        var text = Script.read(name);
        var touched = new TreeSet<String>();
        Pattern.compile("\\bK\\.([a-z_]+)").matcher(text).results().forEach(found -> touched.add(found.group(1)));
        assertThat(new TreeSet<>(Script.declared(text))).isEqualTo(touched);
    }

    @ParameterizedTest
    @MethodSource("files")
    void noKeyIsBuiltInsideOfAScript(String name) {
        assertThat(Script.read(name))
                .doesNotContain("redis.call('KEYS'")
                .doesNotContain("'SCAN'")
                .doesNotContain("{' ..");
    }

    @ParameterizedTest
    @EnumSource(Script.class)
    void aScriptSaysItsArgumentsAnswersInvariantAndCost(Script script) {
        var own = script.text().substring(script.text().lastIndexOf("\n-- answers:"));
        assertThat(own).contains("-- answers:").contains("-- invariant:").contains("-- cost:");
    }

    @Test
    void eachFileIsPartOfAScript() throws IOException {
        var all = Stream.of(Script.values()).map(Script::text).toList();
        assertThat(files()).allSatisfy(name -> assertThat(all).anyMatch(text -> text.contains(Script.read(name))));
    }
}
