package dev.belay.broker;

import dev.belay.job.LeaseId;
import dev.belay.job.Limits;
import dev.belay.job.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * The end of one lease.
 *
 * @param lease to be ended
 * @param outcome how
 * @param progress the handler's last word on its progress; null to leave what is stored
 */
public record Settlement(
        LeaseId lease, Outcome outcome, @Nullable String progress) {

    public Settlement {
        if (progress != null) {
            Limits.bytes("progress", Limits.utf8Length(progress), Limits.PROGRESS_BYTES);
        }
    }
}
