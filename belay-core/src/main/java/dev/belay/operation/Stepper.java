package dev.belay.operation;

import dev.belay.broker.BrokerAdmin;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Goes on with operations, a turn at a time: claim by compare-and-set, do, count by compare-and-set. A turn whose holder
 * does not come back is taken over once its lease is over, by the broker's clock.
 */
final class Stepper {

    private static final Duration LEASE = Duration.ofSeconds(10);

    /** How often to look for operations where none runs. */
    private static final Duration IDLE = Duration.ofSeconds(1);

    private static final int MAX_PAGE = 100;

    /** The turns of an operation with a rate are this many a second, so that it runs evenly. */
    private static final int TURNS_A_SECOND = 10;

    private final BrokerAdmin admin;
    private final OperationCells cells;

    Stepper(BrokerAdmin admin, OperationCells cells) {
        this.admin = admin;
        this.cells = cells;
    }

    Duration step() {
        var active = cells.active().stream().filter(Stepper::isKnown).toList();
        if (active.isEmpty()) {
            return IDLE;
        }
        var now = admin.time();
        // The one that has waited longest, so that operations share.
        var next = active.stream()
                .filter(found -> isDue(found.stored(), now))
                .min(Comparator.comparingLong(
                        found -> found.stored().operation().updatedAt()));
        if (next.isEmpty()) {
            return untilNext(active, now);
        }
        turn(next.get(), now);
        return Duration.ZERO;
    }

    /** One of a newer version of Belay is left to that. */
    private static boolean isKnown(OperationCells.Active found) {
        return found.stored().format() <= StoredOperation.FORMAT;
    }

    private static boolean isDue(StoredOperation stored, long now) {
        // Later than the start, so that what is replayed and dies again can't count as final when it began.
        return stored.isOver() || (stored.dueAt() <= now && stored.operation().startedAt() < now);
    }

    private static Duration untilNext(List<OperationCells.Active> active, long now) {
        var wait = IDLE.toMillis();
        for (var found : active) {
            var due =
                    Math.max(found.stored().dueAt(), found.stored().operation().startedAt() + 1);
            wait = Math.min(wait, Math.max(0, due - now));
        }
        return Duration.ofMillis(wait);
    }

    private void turn(OperationCells.Active found, long now) {
        if (found.stored().isOver()) {
            cells.putAside(found);
            return;
        }
        claim(found, now).ifPresent(mine -> {
            var operation = mine.operation();
            var running = operation.state() == MassOperation.State.RUNNING;
            var tally = new Turn(admin, operation).run(mine.pending(), running);
            count(mine, tally, now);
        });
    }

    /** Empty where somebody else was quicker. */
    private Optional<StoredOperation> claim(OperationCells.Active found, long now) {
        var stored = found.stored();
        var until = now + LEASE.toMillis();
        StoredOperation claimed;
        if (!stored.pending().isEmpty() || stored.lastPage()) {
            claimed = stored.claimed(stored.pending(), stored.cursor(), stored.lastPage(), until);
        } else {
            var operation = stored.operation();
            var page = admin.list(operation.effectiveQuery(), stored.cursor(), pageSize(operation));
            var jobs = page.jobs().stream()
                    .map(job -> new Tally.Pending(job.queue(), job.id()))
                    .toList();
            claimed = stored.claimed(jobs, page.next(), page.next() == null, until);
        }
        return cells.replace(found, claimed) ? Optional.of(claimed) : Optional.empty();
    }

    private void count(StoredOperation mine, Tally tally, long turnStarted) {
        while (true) {
            var found = cells.findActive(mine.operation().id());
            if (found.isEmpty() || found.get().stored().turn() != mine.turn()) {
                // Taken over: whoever did so finds what was done here in the audit log, and counts it.
                return;
            }
            var now = admin.time();
            var counted = found.get().stored().counted(tally, now, nextAt(mine, tally, turnStarted));
            if (counted.lastPage()
                    && counted.pending().isEmpty()
                    && counted.operation().state() == MassOperation.State.RUNNING) {
                counted = counted.with(counted.operation().withState(MassOperation.State.DONE, now));
            }
            if (cells.replace(found.get(), counted)) {
                return;
            }
        }
    }

    private static long nextAt(StoredOperation mine, Tally tally, long turnStarted) {
        var rate = mine.operation().rate();
        if (!tally.left().isEmpty()) {
            return turnStarted + IDLE.toMillis();
        }
        // From the turn's start, and never made up for: a pause is not followed by a burst.
        return rate == null ? 0 : turnStarted + (tally.looked() * 1_000 + rate - 1) / rate;
    }

    private static int pageSize(MassOperation operation) {
        var rate = operation.rate();
        return rate == null ? MAX_PAGE : Math.max(1, Math.min(MAX_PAGE, rate / TURNS_A_SECOND));
    }
}
