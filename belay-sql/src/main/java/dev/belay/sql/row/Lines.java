package dev.belay.sql.row;

import dev.belay.job.JobState;

/** The lines that jobs stand in, as their numbers in the column {@code line}. Every job stands in exactly one, or is in flight. */
public final class Lines {

    /** As many priorities there are, and lines of each kind of ready job. */
    public static final int PRIORITIES = 5;

    /** Ready, with more than one crash left: this line for priority 0, the next for 1, … */
    public static final int SOUND = 0;

    /** Ready, never crashed, and yet with one crash left: {@code maxCrashes = 1}. Never prefetched. */
    public static final int FRAGILE = 5;

    /** Ready, crashed before, one crash left: leased alone. */
    public static final int SUSPECT = 10;

    public static final int SCHEDULED = 15;

    /** Scheduled, put off because a worker did not know the type: promoted slowly. */
    public static final int UNKNOWN = 16;

    public static final int RUNNING = 17;
    public static final int SUCCEEDED = 20;
    public static final int CANCELLED = 21;

    /** Succeeded, and kept for as long as the job itself says. */
    public static final int SUCCEEDED_OWN = 22;

    /** Cancelled, and kept for as long as the job itself says. */
    public static final int CANCELLED_OWN = 23;

    public static final int DEAD = 24;

    private Lines() {}

    /** The state of the jobs in a line. */
    public static JobState state(int line) throws CorruptRecordException {
        if (isReady(line)) {
            return JobState.READY;
        }
        return switch (line) {
            case SCHEDULED, UNKNOWN -> JobState.SCHEDULED;
            case RUNNING -> JobState.RUNNING;
            case SUCCEEDED, SUCCEEDED_OWN -> JobState.SUCCEEDED;
            case CANCELLED, CANCELLED_OWN -> JobState.CANCELLED;
            case DEAD -> JobState.DEAD;
            default -> throw new CorruptRecordException("no line has the number " + line);
        };
    }

    public static boolean isReady(int line) {
        return line >= SOUND && line < SUSPECT + PRIORITIES;
    }

    public static boolean isWaiting(int line) {
        return line >= SOUND && line <= UNKNOWN;
    }

    /** The line of a ready job. */
    public static int ready(int priority, int crashes, int maxCrashes) {
        var kind = crashes + 1 < maxCrashes ? SOUND : crashes >= 1 ? SUSPECT : FRAGILE;
        return kind + Math.min(Math.max(priority, 0), PRIORITIES - 1);
    }
}
