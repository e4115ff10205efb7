package dev.belay.broker;

import java.nio.ByteBuffer;
import java.util.TreeMap;

/**
 * A mergeable histogram of microseconds with logarithmic buckets: at most 5 % relative error, after "DDSketch: a fast
 * and fully-mergeable quantile sketch" (Masson, Rim and Lee, 2019). Not thread-safe.
 */
public final class Histogram {

    private static final double GAMMA = 1.1;
    private static final double LOG_GAMMA = Math.log(GAMMA);

    private final TreeMap<Integer, Long> buckets = new TreeMap<>();
    private long count;

    /** Adds one observation; negative ones count as 0. */
    public void add(long micros) {
        add(bucket(micros), 1);
    }

    /** Adds all of another one's observations. */
    public void add(Histogram other) {
        other.buckets.forEach(this::add);
    }

    /** How many observations it holds. */
    public long count() {
        return count;
    }

    /**
     * A value that at least a share of the observations does not exceed, in microseconds.
     *
     * @param share above 0, at most 1
     * @return 0 where there is none
     */
    public double quantile(double share) {
        var rank = Math.max(1, (long) Math.ceil(share * count));
        long seen = 0;
        for (var bucket : buckets.entrySet()) {
            seen += bucket.getValue();
            if (seen >= rank) {
                return value(bucket.getKey());
            }
        }
        return 0;
    }

    /** The stored form. */
    public byte[] toBytes() {
        var buffer = ByteBuffer.allocate(buckets.size() * 12);
        buckets.forEach((bucket, n) -> buffer.putInt(bucket).putLong(n));
        return buffer.array();
    }

    /** Reads the stored form; what is cut short is left out. */
    public static Histogram fromBytes(byte[] bytes) {
        var histogram = new Histogram();
        var buffer = ByteBuffer.wrap(bytes);
        while (buffer.remaining() >= 12) {
            histogram.add(buffer.getInt(), buffer.getLong());
        }
        return histogram;
    }

    private void add(int bucket, long n) {
        buckets.merge(bucket, n, Long::sum);
        count += n;
    }

    /** Bucket 0 holds 0; bucket b holds (gamma^(b-2), gamma^(b-1)]. */
    private static int bucket(long micros) {
        return micros <= 0 ? 0 : 1 + (int) Math.ceil(Math.log(micros) / LOG_GAMMA - 1e-9);
    }

    private static double value(int bucket) {
        return bucket == 0 ? 0 : 2 * Math.pow(GAMMA, bucket - 1) / (GAMMA + 1);
    }
}
