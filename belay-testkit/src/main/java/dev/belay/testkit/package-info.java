/** For your tests: jobs on the test's own thread, on a clock that the test moves, and assertions on what was enqueued. */
@org.jspecify.annotations.NullMarked
package dev.belay.testkit;
