/**
 * Random operations against the broker under test and the reference broker side by side. Every answer and the state
 * after every step must be the same, tokens and wording aside.
 *
 * <p>Each run follows from its seed. A failure names seed and step, and how to run that seed again. System properties:
 * {@code belay.tck.model.seed} runs one seed, {@code belay.tck.model.seeds} the first so many (20), {@code
 * belay.tck.model.steps} says how long a run is (250 steps).
 */
@org.jspecify.annotations.NullMarked
package dev.belay.tck.model;
