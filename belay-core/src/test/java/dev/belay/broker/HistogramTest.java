package dev.belay.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HistogramTest {

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 7, 10, 99, 1_000, 123_456, 60_000_000, 3_600_000_000L, Long.MAX_VALUE})
    void oneValueIsToldWithinFivePercent(long micros) {
        for (var share : new double[] {0.001, 0.5, 1}) {
            var histogram = new Histogram();
            histogram.add(micros);
            assertThat(histogram.quantile(share)).isCloseTo((double) micros, within(micros * 0.05));
        }
    }

    @Test
    void quantilesAreToldWithinFivePercent() {
        var random = new Random(3);
        var values = new long[20_000];
        var histogram = new Histogram();
        for (var i = 0; i < values.length; i++) {
            values[i] = Math.max(1, (long) Math.exp(random.nextGaussian() * 2 + 9));
            histogram.add(values[i]);
        }
        Arrays.sort(values);

        for (var share : new double[] {0.01, 0.25, 0.5, 0.9, 0.99, 0.999, 1}) {
            double exact = values[(int) Math.ceil(share * values.length) - 1];
            assertThat(histogram.quantile(share)).isCloseTo(exact, within(exact * 0.05));
        }
    }

    @Test
    void everyBorderIsWithinFivePercent() {
        for (long micros = 1; micros < 200_000; micros++) {
            var histogram = new Histogram();
            histogram.add(micros);
            assertThat(Math.abs(histogram.quantile(1) - micros)).isLessThanOrEqualTo(micros * 0.05);
        }
    }

    @Test
    void nothingIsZero() {
        var histogram = new Histogram();
        assertThat(histogram.quantile(0.5)).isZero();
        histogram.add(-5);
        histogram.add(0);
        assertThat(histogram.count()).isEqualTo(2);
        assertThat(histogram.quantile(1)).isZero();
    }

    @Test
    void mergedIsTheSameAsAddedTogether() {
        var random = new Random(4);
        var all = new Histogram();
        var one = new Histogram();
        var other = new Histogram();
        for (var i = 0; i < 1_000; i++) {
            var micros = random.nextInt(1_000_000);
            all.add(micros);
            (i % 3 == 0 ? one : other).add(micros);
        }

        one.add(other);

        assertThat(one.toBytes()).isEqualTo(all.toBytes());
        assertThat(one.count()).isEqualTo(1_000);
    }

    @Test
    void bytesAreReadBack() {
        var histogram = new Histogram();
        histogram.add(0);
        histogram.add(17);
        histogram.add(17);
        histogram.add(Long.MAX_VALUE);

        var back = Histogram.fromBytes(histogram.toBytes());

        assertThat(back.toBytes()).isEqualTo(histogram.toBytes());
        assertThat(back.count()).isEqualTo(4);
        assertThat(Histogram.fromBytes(new byte[0]).count()).isZero();
        assertThat(Histogram.fromBytes(Arrays.copyOf(histogram.toBytes(), 20)).count())
                .isEqualTo(1);
    }
}
