/** What is stored, and how it is read. */
@org.jspecify.annotations.NullMarked
package dev.belay.redis.record;
