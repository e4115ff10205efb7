package dev.belay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.Once;
import dev.belay.ledger.JdbcLedger;
import dev.belay.once.Effect;
import dev.belay.once.EffectException;
import java.nio.file.Path;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LedgerCommandsTest {

    private static final String SCOPE = "POST /payments of acme";
    private static final String HOSTILE = "order-\u001b[31m42";

    private Path file;
    private JdbcLedger ledger;
    private Once once;

    @BeforeEach
    void open(@TempDir Path folder) {
        file = folder.resolve("ledger.db");
        ledger = JdbcLedger.open(file);
        once = Once.in(ledger);
    }

    @AfterEach
    void close() {
        ledger.close();
    }

    private Cli.Said belay(String... arguments) {
        var all = new java.util.ArrayList<String>();
        all.add("ledger");
        all.addAll(java.util.List.of(arguments));
        all.add("--ledger=sqlite:" + file);
        return Cli.on("none").bare(all.toArray(String[]::new));
    }

    private static Effect<String> effect(String key) {
        return Effect.of(key, String.class).scope(SCOPE);
    }

    private void inDoubt(String key) {
        Assertions.assertThatThrownBy(() -> once.call(effect(key).atMostOnce(), any -> {
                    throw new IllegalStateException("timed out");
                }))
                .isInstanceOf(EffectException.OutcomeUnknown.class);
    }

    @Test
    void whatIsInDoubtIsFoundShownAndResolved() throws Exception {
        once.call(effect("order-1"), key -> "ch-1");
        inDoubt("order-2");
        var listed = belay("list", "--unknown", "--json").json().path("effects");
        assertThat(listed).hasSize(1);
        assertThat(listed.get(0).path("key").asString()).isEqualTo("order-2");
        assertThat(listed.get(0).path("state").asString()).isEqualTo("UNKNOWN");
        assertThat(belay("list").out()).contains("UNKNOWN", "order-2").doesNotContain("order-1");

        var resolved = belay(
                "resolve", SCOPE, "order-2", "--happened", "--result", "\"ch-2\"", "--by", "ann", "--why", "their log");
        assertThat(resolved.exit()).as(resolved.err()).isZero();
        assertThat(once.call(effect("order-2").atMostOnce(), key -> "never")).isEqualTo("ch-2");
        var shown = belay("show", SCOPE, "order-2", "--json").json();
        assertThat(shown.path("state").asString()).isEqualTo("COMPLETED");
        assertThat(shown.path("result").asString()).isEqualTo("ch-2");
        assertThat(belay("audit").out()).contains("ann", "resolve", "order-2", "happened: their log");
        assertThat(belay("list").out()).contains("all effects are completed");
    }

    @Test
    void whatDidNotHappenMayBeMade() throws Exception {
        inDoubt("order-2");
        assertThat(belay("resolve", SCOPE, "order-2", "--did-not-happen").exit())
                .isZero();
        assertThat(once.call(effect("order-2").atMostOnce(), key -> "ch-2")).isEqualTo("ch-2");
    }

    @Test
    void aKeyIsReleased() throws Exception {
        once.call(effect("order-1"), key -> "first");
        assertThat(belay("release", SCOPE, "order-1").exit()).isZero();
        assertThat(once.call(effect("order-1"), key -> "second")).isEqualTo("second");
    }

    @Test
    void whatCanNotBeIsSaidInOneLine() throws Exception {
        once.call(effect("order-1"), key -> "ch-1");
        assertThat(belay("show", SCOPE, "order-9").exit()).isEqualTo(1);
        assertThat(belay("resolve", SCOPE, "order-1", "--did-not-happen").exit())
                .isEqualTo(1);
        assertThat(belay("resolve", SCOPE, "order-1").exit()).isEqualTo(2);
        assertThat(belay("resolve", SCOPE, "order-1", "--happened", "--result", "no json")
                        .exit())
                .isEqualTo(2);
        var absent = Cli.on("none").bare("ledger", "list", "--ledger=sqlite:" + file.resolveSibling("absent.db"));
        assertThat(absent.exit()).isEqualTo(3);
        assertThat(absent.err()).contains("there is no ledger at");
    }

    @Test
    void whatAKeySaysDoesNotActOnTheTerminal() {
        inDoubt(HOSTILE);
        assertThat(belay("list").out()).contains("order-").doesNotContain("\u001b");
    }
}
