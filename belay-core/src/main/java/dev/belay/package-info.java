/** The front door: {@link dev.belay.Belay} to enqueue, {@link dev.belay.Worker} to run. */
@org.jspecify.annotations.NullMarked
package dev.belay;
