package dev.belay.cli.command;

import dev.belay.broker.JobDetail;
import dev.belay.cli.shell.Console;
import dev.belay.cli.shell.Style;
import dev.belay.cli.shell.Table;
import dev.belay.cli.shell.Times;
import dev.belay.handler.Codecs;
import dev.belay.job.HistoryEntry;
import dev.belay.job.Job;
import dev.belay.job.JobError;
import dev.belay.job.Payload;
import java.util.HexFormat;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A job for people. */
final class ShowText {

    private static final int PAYLOAD_CHARS = 2_000;
    private static final int STACK_LINES = 8;

    private final Console console;
    private final long now;
    private final boolean full;

    ShowText(Console console, long now, boolean full) {
        this.console = console;
        this.now = now;
        this.full = full;
    }

    void print(JobDetail detail) {
        var job = detail.job();
        console.line(
                Console.styled(Style.BOLD, job.type()),
                "  ",
                job.id(),
                "  ",
                PageOptions.state(job.state()),
                reason(job));
        facts(job);
        phases(job);
        error(job.lastError());
        history(detail);
        bytes("payload", detail.payload());
        var result = detail.result();
        bytes("result", result == null ? null : new Payload(result, job.encoding(), job.schemaVersion()));
        raw(detail.raw());
    }

    private static String reason(Job job) {
        return job.reason() == null ? "" : "  (" + job.reason() + ")";
    }

    private void facts(Job job) {
        var counts = job.counts();
        var options = job.options();
        fact("queue", job.queue() + ", priority " + options.priority());
        fact("key", job.key().value() + meaning(job));
        fact(
                "budget",
                counts.failures() + " of " + options.maxAttempts() + " failures, " + counts.crashes() + " of "
                        + options.maxCrashes() + " crashes, in " + counts.deliveries() + " deliveries");
        if (counts.snoozes() + counts.releases() + counts.replays() > 0) {
            fact(
                    "also",
                    counts.snoozes() + " snoozes, " + counts.releases() + " releases, " + counts.replays()
                            + " replays");
        }
        if (job.token() > 0) {
            fact("token", job.token() + (job.session() == null ? "" : ", held by session " + job.session()));
        }
        if (job.progress() != null) {
            fact("progress", job.progress());
        }
        if (!options.tags().isEmpty()) {
            fact("tags", String.join(", ", options.tags()));
        }
        if (options.groupKey() != null) {
            fact("group", options.groupKey());
        }
        options.headers().forEach((name, value) -> fact("header", name + ": " + value));
        if (job.links().parent() != null) {
            fact("parent", job.links().parent().toString());
        }
        if (job.links().replaces() != null) {
            fact("replaces", job.links().replaces().toString());
        }
        if (job.isNewer()) {
            fact("format", job.format() + ": written by a newer Belay, left alone by this one");
        }
    }

    private static String meaning(Job job) {
        if (!job.key().explicit()) {
            return " (its id: none was given)";
        }
        var dedup = job.options().dedup();
        if (dedup.atMostOneWaiting()) {
            return " (counts only while the job waits)";
        }
        return dedup.window() == null
                ? ""
                : " (remembered for " + Times.length(dedup.window().toMillis()) + ")";
    }

    private void phases(Job job) {
        console.line();
        var table = new Table().column("PHASE").column("FROM").number("FOR");
        Phases.of(job, now)
                .forEach(phase -> table.row(phase.name(), Times.at(phase.from()), Times.length(phase.millis())));
        table.print(console);
        if (job.times().expiresAt() != null) {
            fact("expires", Times.at(job.times().expiresAt()));
        }
    }

    private void error(@Nullable JobError error) {
        if (error == null) {
            return;
        }
        console.line();
        console.line(Console.styled(Style.BAD, "last error  "), error.errorClass());
        console.block(indented(error.message()));
        fact("fingerprint", error.fingerprint());
        stack(error.stack());
    }

    private void stack(String stack) {
        if (stack.isBlank()) {
            return;
        }
        var lines = stack.lines().toList();
        var shown = full ? lines.size() : Math.min(STACK_LINES, lines.size());
        console.block(lines.stream().limit(shown).map(line -> "    " + line).collect(Collectors.joining("\n")));
        if (shown < lines.size()) {
            hint((lines.size() - shown) + " more lines: --full shows them");
        }
    }

    private void history(JobDetail detail) {
        if (detail.history().isEmpty()) {
            return;
        }
        console.line();
        var table = new Table()
                .column("HISTORY")
                .column("WHAT")
                .number("ATTEMPT")
                .number("TOKEN")
                .column("WHO")
                .column("DETAIL");
        detail.history()
                .forEach(entry -> table.row(
                        Times.at(entry.at()),
                        entry.kind(),
                        entry.attempt(),
                        entry.token() == 0 ? "-" : entry.token(),
                        who(entry),
                        detail(entry)));
        table.print(console);
        var left = detail.job().historyCount() - detail.history().size();
        if (left > 0) {
            hint(left + " older entries are no longer kept");
        }
    }

    private static String who(HistoryEntry entry) {
        if (entry.by() != null) {
            return entry.by().who();
        }
        return entry.worker() == null ? "-" : entry.worker();
    }

    private static String detail(HistoryEntry entry) {
        var by = entry.by();
        var why = by == null || by.why() == null ? "" : "why: " + by.why() + " ";
        var detail = entry.detail() == null ? "" : entry.detail() + " ";
        var error = entry.error();
        return (why
                        + detail
                        + (error == null ? "" : PageOptions.simpleName(error.errorClass()) + ": " + error.message()))
                .strip();
    }

    private void bytes(String title, @Nullable Payload payload) {
        if (payload == null) {
            return;
        }
        console.line();
        console.line(
                Console.styled(Style.DIM, title),
                "  " + payload.size() + " bytes, " + payload.encoding() + ", version " + payload.schemaVersion());
        var text = Codecs.found().show(payload);
        var cut = full || text.length() <= PAYLOAD_CHARS ? text : text.substring(0, PAYLOAD_CHARS);
        console.block(cut);
        if (cut.length() < text.length()) {
            hint((text.length() - cut.length()) + " more characters: --full shows them");
        }
    }

    private void raw(byte @Nullable [] raw) {
        if (raw == null) {
            return;
        }
        console.line();
        var shown = full ? raw.length : Math.min(raw.length, 512);
        console.line(Console.styled(Style.BAD, "unreadable record"), "  " + raw.length + " bytes, in hexadecimal");
        console.block(HexFormat.ofDelimiter(" ").formatHex(raw, 0, shown));
        if (shown < raw.length) {
            hint((raw.length - shown) + " more bytes: --full shows them");
        }
    }

    private void fact(String name, String value) {
        console.line(Console.styled(Style.DIM, String.format("%-12s", name)), value);
    }

    private void hint(String text) {
        console.line(Console.styled(Style.DIM, "… " + text));
    }

    private static String indented(String text) {
        return text.lines().map(line -> "    " + line).collect(Collectors.joining("\n"));
    }
}
