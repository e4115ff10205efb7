package dev.belay.cli.command;

import dev.belay.DeadLetters;
import dev.belay.broker.JobQuery;
import dev.belay.broker.Verdict;
import dev.belay.cli.shell.Console;
import dev.belay.job.By;
import dev.belay.job.JobId;
import dev.belay.operation.MassOperation;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

/** {@code belay dead replay}. */
@Command(name = "replay", description = "Puts dead letters back to work, with a fresh budget.")
final class Replay extends OnDead {

    Replay(Console console) {
        super(console, "replay", "replayed");
    }

    @Override
    Verdict one(DeadLetters dead, JobId id, By who) {
        return dead.replay(id, who);
    }

    @Override
    MassOperation many(DeadLetters dead, JobQuery query, @Nullable Integer atMost, By who) {
        return dead.replayAll(query, atMost, who);
    }
}
