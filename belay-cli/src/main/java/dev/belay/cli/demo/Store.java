package dev.belay.cli.demo;

/** Where the demo's jobs are. */
record Store(String address, String namespace) {}
