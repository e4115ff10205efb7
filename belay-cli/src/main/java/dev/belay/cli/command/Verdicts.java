package dev.belay.cli.command;

import dev.belay.broker.Verdict;
import dev.belay.job.JobId;

/** Verdicts in words. */
final class Verdicts {

    private Verdicts() {}

    /** What became of a job, as a sentence without its subject. */
    static String text(JobId job, String done, Verdict verdict) {
        if (verdict instanceof Verdict.Applied) {
            return "job " + job + " " + done;
        }
        if (verdict instanceof Verdict.Missing) {
            return "there is no job " + job;
        }
        if (verdict instanceof Verdict.Replaced replaced) {
            return "job " + job + " was replaced by job " + replaced.by();
        }
        if (verdict instanceof Verdict.WrongState wrong) {
            return "job " + job + " is " + wrong.state() + ": that can't be done in this state";
        }
        if (verdict instanceof Verdict.Conflict conflict) {
            return "job " + job + " can't be replayed: its key is held by job " + conflict.holder() + " ("
                    + conflict.detail() + ")";
        }
        if (verdict instanceof Verdict.Busy) {
            return "job " + job + " is busy at this moment: try again";
        }
        return "job " + job + ": " + verdict;
    }

    /** The name of a verdict in JSON. */
    static String name(Verdict verdict) {
        return switch (verdict.getClass().getSimpleName()) {
            case "WrongState" -> "WRONG_STATE";
            default -> verdict.getClass().getSimpleName().toUpperCase(java.util.Locale.ROOT);
        };
    }
}
