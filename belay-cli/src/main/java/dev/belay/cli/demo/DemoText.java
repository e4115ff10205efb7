package dev.belay.cli.demo;

import dev.belay.cli.demo.world.PaymentProvider;
import dev.belay.cli.shell.Clean;
import dev.belay.cli.shell.Console;
import dev.belay.cli.shell.Style;
import dev.belay.cli.shell.Table;
import dev.belay.cli.shell.Times;
import dev.belay.cli.shell.Width;

/** The demo's figures for people. */
final class DemoText {

    private final Console console;

    DemoText(Console console) {
        this.console = console;
    }

    void print(DemoReport report, double seconds) {
        console.line();
        jobs(report);
        console.line();
        world(report);
        console.line();
        dead(report);
        console.line();
        promises(report, seconds);
    }

    private void jobs(DemoReport report) {
        var table = new Table()
                .column("JOBS")
                .number("ACCEPTED")
                .number("SUCCEEDED")
                .number("RETRIED")
                .number("CRASHED")
                .number("DEAD")
                .number("LOST")
                .number("PICK-UP P50")
                .number("P99")
                .number("RUN P50")
                .number("P99");
        report.types().forEach(row -> row(table, row, Style.PLAIN));
        row(table, report.all(), Style.BOLD);
        table.print(console);
    }

    private static void row(Table table, DemoReport.Row row, Style style) {
        table.row(
                Console.styled(style, row.type()),
                Console.styled(style, Long.toString(row.accepted())),
                count(row.succeeded(), Style.GOOD),
                count(row.retried(), Style.WARN),
                count(row.crashed(), Style.WARN),
                count(row.dead(), Style.BAD),
                Console.styled(row.lost() == 0 ? Style.GOOD : Style.BAD, Long.toString(row.lost())),
                Times.length(row.pickup().p50()),
                Times.length(row.pickup().p99()),
                Times.length(row.run().p50()),
                Times.length(row.run().p99()));
    }

    private static Console.Piece count(long count, Style style) {
        return Console.styled(count == 0 ? Style.DIM : style, Long.toString(count));
    }

    private void world(DemoReport report) {
        var evidence = report.evidence();
        var charges = report.charges();
        fact(
                "charges",
                "asked for " + charges.asked() + " times ("
                        + evidence.world().payments().answersLost()
                        + " answers got lost), made " + charges.made() + ", for one order at most "
                        + charges.mostForOne());
        var deaths = evidence.deaths();
        if (!deaths.isEmpty()) {
            fact(
                    "provider",
                    "died in the middle of " + deaths.size() + " charges, "
                            + deaths.stream()
                                    .filter(PaymentProvider.Death::made)
                                    .count()
                            + " of which it had made, and came back");
        }
        fact(
                "CRM",
                "answered 503 with Retry-After " + evidence.world().crm().refused() + " times, let "
                        + evidence.world().crm().hung() + " requests hang");
        fact(
                "mail",
                evidence.mails().values().stream()
                                .mapToInt(java.util.List::size)
                                .sum() + " receipts arrived, "
                        + evidence.world().mail().cut() + " connections were cut in the middle");
        fact("duplicates", evidence.duplicates() + " orders were sent twice and became no second charge");
        var kill = evidence.kill();
        if (kill != null) {
            fact(
                    "killed",
                    kill.worker() + ", with " + kill.inFlight() + " jobs in flight; " + evidence.crashed()
                            + " deliveries crashed with it" + takenBack(report));
        }
    }

    /** How long after the kill its jobs were back at work: the newest lease that another worker got afterwards. */
    private static String takenBack(DemoReport report) {
        var kill = report.evidence().kill();
        if (kill == null) {
            return "";
        }
        var back = report.evidence().found().values().stream()
                .flatMap(java.util.List::stream)
                .filter(job -> job.counts().crashes() > 0)
                .map(job -> job.times().readyAt())
                .filter(at -> at != null && at > kill.at())
                .mapToLong(Long::longValue)
                .min();
        return back.isPresent()
                ? ", the first was ready again " + Times.length(back.getAsLong() - kill.at()) + " later"
                : "";
    }

    private void dead(DemoReport report) {
        var table =
                new Table().column("DEAD LETTER").column("JOB").column("REASON").column("ERROR");
        report.dead()
                .forEach(letter -> table.row(
                        "order " + letter.order(),
                        letter.type(),
                        Console.styled(Style.BAD, letter.reason()),
                        letter.message() == null ? "" : Width.cut(Clean.line(letter.message()), 60)));
        if (!table.isEmpty()) {
            table.print(console);
        }
    }

    private void promises(DemoReport report, double seconds) {
        for (var promise : report.promises()) {
            console.line(
                    promise.isKept() ? Console.styled(Style.GOOD, "✓ ") : Console.styled(Style.BAD, "✗ "),
                    promise.text());
            promise.broken().stream().limit(5).forEach(broken -> console.line("    ", broken));
            if (promise.broken().size() > 5) {
                console.line("    and " + (promise.broken().size() - 5) + " more");
            }
        }
        var broken = report.brokenPromises().size();
        console.line(
                broken == 0
                        ? Console.styled(Style.GOOD, "All promises kept")
                        : Console.styled(Style.BAD, broken + (broken == 1 ? " promise broken" : " promises broken")),
                ", in " + Times.length(seconds * 1_000) + ".");
    }

    private void fact(String name, String value) {
        console.line(Console.styled(Style.DIM, String.format("%-12s", name)), value);
    }
}
