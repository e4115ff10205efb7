/** Natural batching: whoever is free sends all that has gathered. */
@org.jspecify.annotations.NullMarked
package dev.belay.batch;
