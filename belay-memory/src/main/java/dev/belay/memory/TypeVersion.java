package dev.belay.memory;

/** A type with the version of its payload: what a session knows or does not know. */
record TypeVersion(String type, int schemaVersion) {}
