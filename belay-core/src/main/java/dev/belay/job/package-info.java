/** Values: what a job is, what can become of it, and what it may not exceed. No I/O, no clocks. */
@org.jspecify.annotations.NullMarked
package dev.belay.job;
