package dev.belay.broker;

import dev.belay.job.InvalidInputException;
import dev.belay.job.JobOptions;
import dev.belay.job.Limits;
import dev.belay.job.Moment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What to change of a job that is not final. Null leaves a field as it is. {@code runAt} of a running job can't be
 * edited; priority and tags of one hold from its next delivery.
 */
public record JobEdit(
        @Nullable Integer priority,
        @Nullable Moment runAt,
        @Nullable List<String> tags) {

    public JobEdit {
        if (priority == null && runAt == null && tags == null) {
            throw new InvalidInputException("edit", "must change priority, runAt or tags, but changes nothing");
        }
        if (priority != null) {
            Limits.range("priority", priority, 0, JobOptions.LOWEST_PRIORITY);
        }
        if (tags != null) {
            JobOptions.checkTags(tags);
            tags = List.copyOf(tags);
        }
    }
}
