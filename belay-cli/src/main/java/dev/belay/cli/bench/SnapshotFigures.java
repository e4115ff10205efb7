package dev.belay.cli.bench;

/**
 * What was measured.
 *
 * @param held while the snapshot was
 * @param enqueuedPerS by what the store accepted in that time
 */
record SnapshotFigures(
        LeaseTimes leases, Span before, Span held, Span after, double enqueuedPerS, long mostWhileHeld, long atEnd) {}
