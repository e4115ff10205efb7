/** The world outside of the shop: a mail server, a CRM and a payment provider, all on this machine, none of them perfect. */
@org.jspecify.annotations.NullMarked
package dev.belay.cli.demo.world;
