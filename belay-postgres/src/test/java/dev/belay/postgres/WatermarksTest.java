package dev.belay.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.job.SessionId;
import dev.belay.sql.row.Lines;
import dev.belay.sql.step.Heads;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** From where on lease calls look. */
class WatermarksTest {

    private static final String QUEUE = "mail";
    private static final int LINE = 2;
    private static final long NOW = 1_000_000;
    private static final long LONG_MICROS = 20_000;
    private static final Long[] BEGINNING = filled(Long.MIN_VALUE);

    private final AtomicLong nanos = new AtomicLong(TimeUnit.HOURS.toNanos(1));
    private final Watermarks watermarks = new Watermarks(nanos::get);
    private final SessionId session = SessionId.next();

    private static Long[] filled(Long value) {
        var at = new Long[Lines.UNKNOWN + 1];
        Arrays.fill(at, value);
        return at;
    }

    /** A look that found one line to begin at a place, and the others empty. */
    private void look(long headAt, long micros) {
        var heads = new Long[Lines.UNKNOWN + 1];
        heads[LINE] = headAt;
        watermarks.looked(session, QUEUE, watermarks.from(session), Heads.of(heads, 0), NOW, micros);
    }

    /** Two in a row: one may be a pause of the machine. */
    private void twoLongLooks(long headAt) {
        look(headAt, LONG_MICROS);
        look(headAt, LONG_MICROS);
    }

    @Test
    void shortLooksBeginAtTheBeginning() {
        look(500, 100);
        assertThat(watermarks.from(session)).isEqualTo(BEGINNING);
        look(500, LONG_MICROS);
        assertThat(watermarks.from(session)).as("one alone was a pause").isEqualTo(BEGINNING);
    }

    @Test
    void afterLongLooksTheNextBeginWhereTheFirstJobWas() {
        twoLongLooks(500);
        assertThat(watermarks.from(session)[LINE]).isEqualTo(500);
        assertThat(watermarks.from(session)[LINE + 1])
                .as("an empty line: what is under way may still come to stand there")
                .isEqualTo(NOW - 10_000);
    }

    @Test
    void aMarkIsNeverSoNewThatSomebodyMayStillPutAJobBeforeIt() {
        twoLongLooks(NOW - 1);
        assertThat(watermarks.from(session)[LINE]).isEqualTo(NOW - 10_000);
    }

    @Test
    void oneLookASecondBeginsAtTheBeginningAllTheSame() {
        twoLongLooks(500);
        nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(1_001));
        assertThat(watermarks.from(session)).isEqualTo(BEGINNING);
        assertThat(watermarks.from(session)[LINE])
                .as("the others don't wait for it")
                .isEqualTo(500);
    }

    @Test
    void looksFromTheBeginningTakeOnePartInFiftyOfTheTime() {
        var micros = TimeUnit.MILLISECONDS.toMicros(100);
        look(500, micros);
        look(500, micros);
        nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(4_999));
        assertThat(watermarks.from(session)[LINE]).isEqualTo(500);
        nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(2));
        assertThat(watermarks.from(session)).isEqualTo(BEGINNING);
    }

    @Test
    void aJobThatComesToStandBeforeAMarkLowersIt() {
        twoLongLooks(500);
        watermarks.lower(QUEUE, 300);
        assertThat(watermarks.from(session)[LINE]).isEqualTo(300);
        watermarks.lower(200);
        assertThat(watermarks.from(session)[LINE]).isEqualTo(200);
    }

    @Test
    void aLookThatBeganBeforeAJobCameDoesNotRaiseTheMarkAboveIt() {
        twoLongLooks(500);
        var from = watermarks.from(session);
        watermarks.lower(QUEUE, 300);
        var heads = new Long[Lines.UNKNOWN + 1];
        heads[LINE] = 600L;
        watermarks.looked(session, QUEUE, from, Heads.of(heads, 0), NOW, 100);
        assertThat(watermarks.from(session)[LINE]).isEqualTo(300);
    }

    @Test
    void sessionsOfAQueueShareItsMarks() {
        twoLongLooks(500);
        var other = SessionId.next();
        assertThat(watermarks.from(other)).as("not known yet").isEqualTo(BEGINNING);
        watermarks.looked(other, QUEUE, BEGINNING, Heads.of(filled(700L), 0), NOW, LONG_MICROS);
        assertThat(watermarks.from(session)[LINE]).isEqualTo(700);
        watermarks.ended(other);
        assertThat(watermarks.from(other)).isEqualTo(BEGINNING);
    }
}
