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

/** {@code belay dead discard}. */
@Command(name = "discard", description = "Removes dead letters; a tombstone stays in the audit log.")
final class Discard extends OnDead {

    Discard(Console console) {
        super(console, "discard", "discarded");
    }

    @Override
    Verdict one(DeadLetters dead, JobId id, By who) {
        return dead.discard(id, who);
    }

    @Override
    MassOperation many(DeadLetters dead, JobQuery query, @Nullable Integer atMost, By who) {
        return dead.discardAll(query, atMost, who);
    }
}
