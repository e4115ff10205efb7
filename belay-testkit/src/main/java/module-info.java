/** Belay's testkit, for the tests of programs that use Belay. */
module dev.belay.testkit {
    requires transitive dev.belay.core;
    requires transitive dev.belay.memory;
    requires static transitive org.jspecify;

    exports dev.belay.testkit;
}
