package dev.belay.redis;

import dev.belay.broker.Broker.Death;
import dev.belay.broker.Verdict;
import dev.belay.job.DeadReason;
import dev.belay.job.JobState;
import dev.belay.redis.record.Ids;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What scripts answer, read. */
final class Replies {

    private Replies() {}

    static String text(Object value) {
        return new String((byte[]) value, StandardCharsets.UTF_8);
    }

    static byte[] bytes(Object value) {
        return (byte[]) value;
    }

    static long number(Object value) {
        return value instanceof Long number ? number : Long.parseLong(text(value));
    }

    @SuppressWarnings("unchecked")
    static List<Object> list(Object value) {
        return (List<Object>) value;
    }

    static List<Death> deaths(String queue, Object value) {
        var deaths = new ArrayList<Death>();
        for (var one : list(value)) {
            var death = list(one);
            deaths.add(new Death(
                    Ids.job(bytes(death.get(0))), queue, text(death.get(1)), DeadReason.valueOf(text(death.get(2)))));
        }
        return List.copyOf(deaths);
    }

    /** Milliseconds until something is due; null for -1: nothing is. */
    static @Nullable Duration due(long millis) {
        return millis < 0 ? null : Duration.ofMillis(millis);
    }

    static @Nullable JobState state(Object value) {
        var text = text(value);
        return text.isEmpty() ? null : JobState.valueOf(text);
    }

    static Verdict applied(List<Object> answer) {
        var reason = text(answer.get(2));
        return new Verdict.Applied(state(answer.get(1)), reason.isEmpty() ? null : DeadReason.valueOf(reason));
    }
}
