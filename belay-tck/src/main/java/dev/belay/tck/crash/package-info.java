/**
 * Suites that run real worker processes on one store, kill them with SIGKILL at every step of a job's way, freeze them and
 * wake them, and let jobs kill their own process. A broker that other processes can't share skips them, and says so.
 *
 * <p>Small in every build; larger where the system property {@code belay.tck.nightly} is {@code true}.
 */
@org.jspecify.annotations.NullMarked
package dev.belay.tck.crash;
