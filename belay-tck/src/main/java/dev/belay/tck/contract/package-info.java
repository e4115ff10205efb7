/** One suite a concern of the broker SPI: what every broker must do, whoever calls it. */
@org.jspecify.annotations.NullMarked
package dev.belay.tck.contract;
