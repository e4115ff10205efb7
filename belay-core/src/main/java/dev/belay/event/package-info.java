/** The one seam at which the engine tells what it does. */
@org.jspecify.annotations.NullMarked
package dev.belay.event;
