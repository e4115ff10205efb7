/** Commands that look at a store, or change it. They work on jobs of any type, without its classes. */
@org.jspecify.annotations.NullMarked
package dev.belay.cli.command;
