package dev.belay.broker;

import dev.belay.job.DeadReason;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a reaper's pass did.
 *
 * @param looked whether it was a pass at all, and not one too soon after the last
 * @param marked sessions marked as past their deadline
 * @param ended sessions ended
 * @param reclaimed jobs taken back
 * @param more whether jobs of ended sessions are left to be taken back
 */
public record ReapReply(boolean looked, int marked, int ended, List<Reclaimed> reclaimed, boolean more) {

    /** A pass that came too soon. */
    public static final ReapReply TOO_SOON = new ReapReply(false, 0, 0, List.of(), false);

    /**
     * A job taken back from an ended session.
     *
     * @param counted whether it was counted as a crash
     * @param state afterwards: SCHEDULED, READY or DEAD
     * @param deadReason why it is DEAD; null otherwise
     */
    public record Reclaimed(
            JobId job,
            String queue,
            String type,
            long token,
            boolean counted,
            JobState state,
            @Nullable DeadReason deadReason) {}
}
