/** Time as a worker may use it: how long something takes, never what time it is. */
@org.jspecify.annotations.NullMarked
package dev.belay.time;
