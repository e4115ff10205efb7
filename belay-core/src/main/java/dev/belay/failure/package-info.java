/** What went wrong: described, and classified. */
@org.jspecify.annotations.NullMarked
package dev.belay.failure;
