/** The belay command: where it starts, and what it is put together from. */
@org.jspecify.annotations.NullMarked
package dev.belay.cli;
