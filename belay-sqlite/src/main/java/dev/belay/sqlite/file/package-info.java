/**
 * The file: its connections, the one writer with group commit, the readers, and what its errors mean. Knows nothing of
 * jobs.
 */
@org.jspecify.annotations.NullMarked
package dev.belay.sqlite.file;
