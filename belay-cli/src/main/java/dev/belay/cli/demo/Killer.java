package dev.belay.cli.demo;

import dev.belay.broker.BrokerAdmin;
import dev.belay.cli.demo.world.PaymentProvider;
import dev.belay.cli.shell.Console;
import dev.belay.cli.shell.Style;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Kills a worker at the worst of moments: after the payment provider made a charge, before the worker heard of it. Then
 * starts another in its place.
 */
final class Killer {

    private static final long WAIT_SECONDS = 90;

    private final PaymentProvider.Trap trap;
    private final Fleet fleet;
    private final BrokerAdmin admin;
    private final Console console;
    private final boolean quiet;

    /**
     * What was done.
     *
     * @param at by the broker's clock
     */
    record Kill(String worker, long pid, String order, int inFlight, long at) {}

    Killer(PaymentProvider.Trap trap, Fleet fleet, BrokerAdmin admin, Console console, boolean quiet) {
        this.trap = trap;
        this.fleet = fleet;
        this.admin = admin;
        this.console = console;
        this.quiet = quiet;
    }

    /** Waits for its moment; null where it did not come. */
    @Nullable
    Kill run() throws InterruptedException {
        try {
            var caught = trap.caught().get(WAIT_SECONDS, TimeUnit.SECONDS);
            var victim = fleet.find(caught.worker());
            var inFlight = fleet.inFlight(victim);
            victim.kill();
            victim.awaitStop();
            trap.release();
            var kill = new Kill(victim.name(), victim.pid(), caught.order(), inFlight, admin.time());
            tell(
                    Style.WARN,
                    "✗ ",
                    "killed " + kill.worker() + " (pid " + kill.pid() + ") with SIGKILL: " + inFlight
                            + " jobs in flight, the card of order " + kill.order() + " charged, the answer on its way");
            var next = fleet.start();
            fleet.awaitServing(next);
            tell(Style.GOOD, "✓ ", "started " + next.name() + " (pid " + next.pid() + ") in its place");
            return kill;
        } catch (TimeoutException e) {
            return null;
        } catch (ExecutionException e) {
            throw new IllegalStateException("a trap is only ever completed normally", e);
        } finally {
            trap.release();
        }
    }

    private void tell(Style style, String mark, String text) {
        if (quiet) {
            console.note(text);
        } else {
            console.line(Console.styled(style, mark), text);
        }
    }
}
