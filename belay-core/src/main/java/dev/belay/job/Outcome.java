package dev.belay.job;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How a delivery ended: what settles a lease. */
public sealed interface Outcome {

    /** The name as it is stored and shown: {@code complete}, {@code retry}, … */
    String name();

    /**
     * Done.
     *
     * @param result at most 64 KiB, not copied; null for none
     * @param followUps jobs that are stored in the same step
     */
    record Complete(byte @Nullable [] result, List<NewJob> followUps) implements Outcome {
        @Override
        public String name() {
            return "complete";
        }

        /** Done, with nothing more to say. */
        public static final Complete PLAIN = new Complete(null, List.of());

        public Complete {
            if (result != null) {
                Limits.bytes("result", result.length, Limits.RESULT_BYTES);
            }
            followUps = List.copyOf(followUps);
        }
    }

    /**
     * Failed, to be tried again. Applied as a bury when attempts are exhausted or the job expired.
     *
     * @param explicitWait whether the wait was asked for (then the backoff does not advance)
     */
    record Retry(Duration delay, boolean explicitWait, JobError error) implements Outcome {
        @Override
        public String name() {
            return "retry";
        }

        public Retry {
            Limits.wait("retry delay", delay);
        }
    }

    /**
     * Never to be tried again unless someone replays it.
     *
     * @param error counts as a failure; null where none happened
     */
    record Bury(DeadReason reason, @Nullable JobError error) implements Outcome {
        @Override
        public String name() {
            return "bury";
        }
    }

    /**
     * Given back at no cost; its place in line stays.
     *
     * @param running whether its handler had been started (and may still run): then it goes to the history
     */
    record Release(boolean running) implements Outcome {
        @Override
        public String name() {
            return "release";
        }
    }

    /**
     * Put off at no cost.
     *
     * @param unknownType whether the worker refused it because it does not know its type or payload version
     */
    record Snooze(Duration delay, boolean unknownType) implements Outcome {
        @Override
        public String name() {
            return "snooze";
        }

        public Snooze {
            Limits.wait("snooze delay", delay);
        }
    }
}
