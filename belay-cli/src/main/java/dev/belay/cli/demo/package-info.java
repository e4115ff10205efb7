/**
 * An online shop's background work on real protocols, with a worker killed in mid-work: the promises, checked in public.
 */
@org.jspecify.annotations.NullMarked
package dev.belay.cli.demo;
