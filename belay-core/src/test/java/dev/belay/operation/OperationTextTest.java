package dev.belay.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.broker.Cells;
import dev.belay.broker.JobQuery;
import dev.belay.job.By;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class OperationTextTest {

    @ParameterizedTest
    @MethodSource("operations")
    void whatIsWrittenIsReadBack(StoredOperation stored) {
        assertThat(OperationText.read(OperationText.write(stored))).isEqualTo(stored);
    }

    static Stream<StoredOperation> operations() {
        var plain = StoredOperation.fresh(operation(JobQuery.DEAD, By.of("ann"), null));
        var everything = new JobQuery(
                "mail",
                "send.receipt",
                java.util.Set.of(JobState.DEAD, JobState.CANCELLED),
                "java.lang.Error&=%+ \n",
                "f/p",
                "",
                "schlüssel \ud83d\ude00",
                "a=b&c",
                0L,
                Long.MAX_VALUE);
        return Stream.of(
                plain,
                new StoredOperation(
                        operation(everything, By.of("Ann & Bob = 2+", "weil's so ist\n100 %"), 200),
                        7,
                        List.of(new Tally.Pending("mail", JobId.next()), new Tally.Pending("a.b-c_d", JobId.next())),
                        "1700000000000/x y/&=",
                        true,
                        5,
                        6,
                        Map.of("later", "a=b", "more", ""),
                        2));
    }

    @Test
    void theLargestFitsIntoACell() {
        var pending = IntStream.range(0, 100)
                .mapToObj(i -> new Tally.Pending("q".repeat(100), JobId.next()))
                .toList();
        var query = JobQuery.DEAD.withKey("\ud83d\ude00".repeat(255)).withErrorClass("x".repeat(1_000));
        var by = By.of("ü".repeat(255), "\ud83d\ude00".repeat(1_000));
        var stored =
                new StoredOperation(operation(query, by, 1), 1, pending, "c".repeat(200), false, 0, 0, Map.of(), 1);

        assertThat(OperationText.write(stored)).hasSizeLessThan(Cells.MAX_VALUE_BYTES);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "format=1", "format=x&id=1", "format=1&id=zz&kind=REPLAY", "%zz=1"})
    void whatIsNotWrittenByItIsRefused(String text) {
        assertThatThrownBy(() -> OperationText.read(text.getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aLongReasonIsCutBetweenCharacters() {
        var by = Turn.signature(operation(JobQuery.DEAD, By.of("ann", "\ud83d\ude00".repeat(1_000)), null));

        var why = String.valueOf(by.why());
        assertThat(why).startsWith("operation 00000000-0000-0000-0000-000000000001: \ud83d\ude00");
        assertThat(why.codePointCount(0, why.length())).isEqualTo(1_000);
    }

    private static MassOperation operation(JobQuery query, By by, @Nullable Integer rate) {
        return new MassOperation(
                new UUID(0, 1),
                MassOperation.Kind.DISCARD,
                query,
                by,
                1_700_000_000_000L,
                rate,
                MassOperation.State.STOPPED,
                1,
                2,
                3,
                Long.MAX_VALUE,
                9);
    }
}
