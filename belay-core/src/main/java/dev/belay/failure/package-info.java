/** What went wrong: described so that it can be stored and shown, and classified into what becomes of the job. */
@org.jspecify.annotations.NullMarked
package dev.belay.failure;
