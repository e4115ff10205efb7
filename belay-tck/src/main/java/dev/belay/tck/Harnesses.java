package dev.belay.tck;

import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/** Finds the harness to run. */
final class Harnesses {

    /** Names the harness, where there are several: a configuration parameter of the suite, or a system property. */
    static final String SETTING = "belay.tck.harness";

    private Harnesses() {}

    /** The harness with that name, or the only one. */
    static BrokerHarness find(Optional<String> name) {
        var all = ServiceLoader.load(BrokerHarness.class).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
        var chosen = all.stream()
                .filter(harness -> name.isEmpty() || harness.name().equals(name.get()))
                .toList();
        if (chosen.size() == 1) {
            return chosen.get(0);
        }
        throw new IllegalStateException("expected one " + BrokerHarness.class.getName()
                + name.map(n -> " named '" + n + "'").orElse("") + " in META-INF/services, but found " + names(all)
                + (all.size() > 1 ? ": name one by " + SETTING : ""));
    }

    private static List<String> names(List<BrokerHarness> harnesses) {
        return harnesses.stream().map(BrokerHarness::name).toList();
    }
}
