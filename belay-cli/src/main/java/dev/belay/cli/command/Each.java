package dev.belay.cli.command;

import dev.belay.broker.Verdict;
import dev.belay.cli.shell.Console;
import dev.belay.cli.shell.ExitCode;
import dev.belay.cli.shell.Json;
import dev.belay.job.JobId;
import java.util.List;
import java.util.function.Function;

/** The same change to each of some jobs, told one by one. */
final class Each {

    private Each() {}

    /**
     * Does it to all, whatever becomes of each.
     *
     * @return {@link ExitCode#DONE} where it was done to every one
     */
    static int job(Console console, boolean json, List<String> ids, String done, Function<JobId, Verdict> change) {
        var parsed = ids.stream().map(JobId::parse).distinct().toList();
        var results = Json.array();
        var refused = 0;
        for (var id : parsed) {
            var verdict = change.apply(id);
            refused += verdict.isApplied() ? 0 : 1;
            var text = Verdicts.text(id, done, verdict);
            if (json) {
                var result = results.addObject();
                result.put("id", id.toString());
                result.put("done", verdict.isApplied());
                result.put("verdict", Verdicts.name(verdict));
                result.put("detail", text);
            } else if (verdict.isApplied()) {
                console.line(text);
            } else {
                console.note(text);
            }
        }
        if (json) {
            console.json(Json.text(Json.object().set("jobs", results)));
        }
        return refused == 0 ? ExitCode.DONE : ExitCode.NO;
    }
}
