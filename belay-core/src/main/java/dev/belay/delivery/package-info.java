/** What a delivery is made of, whoever runs it: the engine on its threads, or a test on its own. */
@org.jspecify.annotations.NullMarked
package dev.belay.delivery;
