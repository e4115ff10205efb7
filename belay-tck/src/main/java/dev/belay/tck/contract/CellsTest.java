package dev.belay.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.broker.BrokerException;
import dev.belay.broker.Cells;
import dev.belay.job.InvalidInputException;
import dev.belay.tck.BrokerSuite;
import dev.belay.tck.Together;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Small shared values, changed only by who saw the newest version. */
public class CellsTest extends BrokerSuite {

    @SuppressWarnings("NullAway.Init") // set before each test
    private Cells cells;

    @BeforeEach
    void cells() {
        cells = broker.cells();
    }

    @Test
    void aValueIsSetReadChangedAndRemoved() {
        assertThat(cells.get("k")).isEmpty();
        assertThat(set("k", 0, "one")).isTrue();
        var one = get("k");
        assertThat(one.key()).isEqualTo("k");
        assertThat(text(one)).isEqualTo("one");
        assertThat(one.version()).isPositive();
        assertThat(set("k", one.version(), "two")).isTrue();
        var two = get("k");
        assertThat(text(two)).isEqualTo("two");
        assertThat(two.version()).isGreaterThan(one.version());
        assertThat(cells.compareAndSet("k", two.version(), null, null)).isTrue();
        assertThat(cells.get("k")).isEmpty();
        assertThat(cells.list("", 10)).isEmpty();
    }

    @Test
    void onlyTheVersionThatIsThereChangesAValue() {
        set("k", 0, "one");
        var version = get("k").version();
        for (var wrong : List.of(0L, version - 1, version + 1, -1L, Long.MAX_VALUE)) {
            if (wrong != version) {
                assertThat(set("k", wrong, "x")).as("version %s", wrong).isFalse();
                assertThat(cells.compareAndSet("k", wrong, null, null)).isFalse();
            }
        }
        assertThat(set("absent", 1, "x")).isFalse();
        assertThat(text(get("k"))).isEqualTo("one");
        assertThat(get("k").version()).isEqualTo(version);
        assertThat(cells.get("absent")).isEmpty();
    }

    @Test
    void versionsGrowEvenThroughARemoval() {
        set("k", 0, "one");
        var first = get("k").version();
        cells.compareAndSet("k", first, null, null);
        assertThat(set("k", first, "zombie")).isFalse();
        assertThat(set("k", 0, "two")).isTrue();

        assertThat(get("k").version()).isGreaterThan(first);
        assertThat(set("k", first, "zombie"))
                .as("who saw the first life of the key")
                .isFalse();
    }

    @Test
    void removingWhatIsAbsentChangesNothing() {
        cells.compareAndSet("k", 0, null, null);

        assertThat(cells.get("k")).isEmpty();
        assertThat(set("k", 0, "one")).isTrue();
    }

    @Test
    void aTimeToLiveEndsByTheBrokersClock() {
        set("k", 0, "one", seconds(10));
        var version = get("k").version();
        advance(seconds(8));
        assertThat(text(get("k"))).isEqualTo("one");
        advance(seconds(3));
        assertThat(cells.get("k")).isEmpty();
        assertThat(cells.list("", 10)).isEmpty();
        assertThat(set("k", version, "zombie")).isFalse();
        assertThat(set("k", 0, "two")).isTrue();

        assertThat(get("k").version()).isGreaterThan(version);
        advance(Duration.ofDays(1_000));
        assertThat(text(get("k"))).as("without a time to live, for ever").isEqualTo("two");
    }

    @Test
    void eachChangeSetsTheTimeToLiveAnew() {
        set("k", 0, "one", seconds(10));
        advance(seconds(8));
        assertThat(set("k", get("k").version(), "two", seconds(10))).isTrue();
        advance(seconds(8));
        assertThat(text(get("k"))).isEqualTo("two");
        assertThat(set("k", get("k").version(), "three")).isTrue();
        advance(seconds(100));
        assertThat(text(get("k"))).isEqualTo("three");
    }

    @Test
    void listsAreByPrefixInOrderOfTheText() {
        for (var key : List.of("b/2", "a/1", "b/1", "b", "c", "b/10", "B/1", "ä")) {
            assertThat(set(key, 0, "v-" + key)).isTrue();
        }
        assertThat(keys("b/", 10)).containsExactly("b/1", "b/10", "b/2");
        assertThat(keys("b", 2)).containsExactly("b", "b/1");
        assertThat(keys("", 100)).hasSize(8).isSorted();
        assertThat(keys("no", 10)).isEmpty();
        assertThat(keys("ä", 10)).containsExactly("ä");
        assertThat(text(cells.list("c", 1).get(0))).isEqualTo("v-c");
    }

    @Test
    void aPrefixIsTextAndNoPattern() {
        for (var key : List.of("a%b", "a_b", "axb", "a*b", "a?b", "a[x]b", "a\\b", "a'b")) {
            assertThat(set(key, 0, "v")).isTrue();
        }
        for (var prefix : List.of("a%", "a_", "a*", "a?", "a[", "a\\", "a'")) {
            assertThat(keys(prefix, 10)).as("prefix %s", prefix).hasSize(1).allMatch(key -> key.startsWith(prefix));
        }
        assertThat(keys("%", 10)).isEmpty();
    }

    @Test
    void keysAreComparedByTheirCharacters() {
        set("Key", 0, "1");

        assertThat(cells.get("key")).isEmpty();
        assertThat(cells.get("Key ")).isEmpty();
    }

    @Test
    void limitsAreKeptWholeAndNotExceeded() {
        var key = "😀".repeat(255);
        var value = new byte[Cells.MAX_VALUE_BYTES];
        new Random(1).nextBytes(value);
        assertThat(cells.compareAndSet(key, 0, value, null)).isTrue();
        assertThat(get(key).value()).isEqualTo(value);
        assertThat(cells.compareAndSet("empty", 0, new byte[0], null)).isTrue();
        assertThat(get("empty").value()).isEmpty();

        assertRefused("big", new byte[Cells.MAX_VALUE_BYTES + 1]);
        assertRefused("k".repeat(256), new byte[1]);
        assertRefused("", new byte[1]);
        assertThat(keys("", 10)).hasSize(2);
    }

    private void assertRefused(String key, byte[] value) {
        assertThatThrownBy(() -> cells.compareAndSet(key, 0, value, null))
                .isInstanceOfAny(BrokerException.Rejected.class, InvalidInputException.class);
    }

    @Test
    void ofManyChangesAtOnceOneWins() {
        var nodes = List.of(cells, secondNode().cells());
        for (var round = 0; round < 20; round++) {
            var expected = round == 0 ? 0 : get("k").version();
            var won = Together.run(
                    8,
                    i -> () -> nodes.get(i % 2)
                            .compareAndSet("k", expected, ("by " + i).getBytes(StandardCharsets.UTF_8), null));
            assertThat(won.stream().filter(one -> one)).hasSize(1);
            assertThat(text(get("k"))).isEqualTo("by " + won.indexOf(true));
        }
    }

    @Test
    void aCounterOfManyHandsCountsExactly() {
        var others = secondNode().cells();
        Together.run(6, i -> () -> {
            var mine = i % 2 == 0 ? cells : others;
            for (var added = 0; added < 50; ) {
                var cell = mine.get("n");
                var next = cell.map(CellsTest::text).map(Integer::parseInt).orElse(0) + 1;
                if (mine.compareAndSet(
                        "n",
                        cell.map(Cells.Cell::version).orElse(0L),
                        ("" + next).getBytes(StandardCharsets.UTF_8),
                        null)) {
                    added++;
                }
            }
            return null;
        });
        assertThat(text(get("n"))).isEqualTo("300");
    }

    private boolean set(String key, long expected, String value) {
        return set(key, expected, value, null);
    }

    private boolean set(String key, long expected, String value, @Nullable Duration timeToLive) {
        return cells.compareAndSet(key, expected, value.getBytes(StandardCharsets.UTF_8), timeToLive);
    }

    private Cells.Cell get(String key) {
        return cells.get(key).orElseThrow(() -> new AssertionError("no cell " + key));
    }

    private List<String> keys(String prefix, int limit) {
        return cells.list(prefix, limit).stream().map(Cells.Cell::key).toList();
    }

    private static String text(Cells.Cell cell) {
        return new String(cell.value(), StandardCharsets.UTF_8);
    }
}
