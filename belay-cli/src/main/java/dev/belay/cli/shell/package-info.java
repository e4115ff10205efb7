/** What every command shares: options, exit codes, errors, and output that is safe to look at. */
@org.jspecify.annotations.NullMarked
package dev.belay.cli.shell;
