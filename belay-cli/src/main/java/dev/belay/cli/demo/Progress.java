package dev.belay.cli.demo;

import dev.belay.broker.BrokerAdmin;
import dev.belay.cli.shell.Console;
import dev.belay.cli.shell.Style;
import dev.belay.job.JobState;
import java.util.List;
import java.util.Locale;

/** How far the demo is: one line that is rewritten on a terminal, a line every two seconds elsewhere. */
final class Progress {

    private static final int BAR = 24;
    private static final long LINE_NANOS = 2_000_000_000L;

    private final Console console;
    private final boolean beside;
    private final long jobsToCome;
    private final long start = System.nanoTime();
    private long lastLine = start;

    /** @param beside whether it goes beside the output proper, which is JSON */
    Progress(Console console, boolean beside, long jobsToCome) {
        this.console = console;
        this.beside = beside;
        this.jobsToCome = jobsToCome;
    }

    double seconds() {
        return (System.nanoTime() - start) / 1e9;
    }

    void show(List<BrokerAdmin.QueueView> queues, int accepted) {
        var text = text(queues, accepted);
        if (console.isTerminal()) {
            console.rewrite(bar(queues), text);
        } else if (System.nanoTime() - lastLine > LINE_NANOS) {
            lastLine = System.nanoTime();
            if (beside) {
                console.note(text);
            } else {
                console.line(text);
            }
        }
    }

    private String text(List<BrokerAdmin.QueueView> queues, int accepted) {
        return String.format(
                Locale.ROOT,
                "%5.1f s  accepted %d  waiting %d  running %d  succeeded %d  dead %d",
                seconds(),
                accepted,
                sum(queues, JobState.READY) + sum(queues, JobState.SCHEDULED),
                sum(queues, JobState.RUNNING),
                sum(queues, JobState.SUCCEEDED),
                sum(queues, JobState.DEAD));
    }

    private Console.Piece bar(List<BrokerAdmin.QueueView> queues) {
        var done = sum(queues, JobState.SUCCEEDED) + sum(queues, JobState.DEAD);
        var full = (int) Math.min(BAR, BAR * done / Math.max(1, jobsToCome));
        return Console.styled(Style.GOOD, "█".repeat(full) + "░".repeat(BAR - full) + "  ");
    }

    /** How many jobs are in a state. */
    static long sum(List<BrokerAdmin.QueueView> queues, JobState state) {
        return queues.stream().mapToLong(queue -> queue.count(state)).sum();
    }
}
