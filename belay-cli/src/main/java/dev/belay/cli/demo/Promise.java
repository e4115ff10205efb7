package dev.belay.cli.demo;

import java.util.List;

/**
 * Something that the demo promises.
 *
 * @param text of the promise
 * @param broken where it does not hold, each in words; empty where it was kept
 */
record Promise(String text, List<String> broken) {

    Promise {
        broken = List.copyOf(broken);
    }

    boolean isKept() {
        return broken.isEmpty();
    }
}
