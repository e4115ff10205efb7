package dev.belay.tck;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Gives each test of a {@link BrokerSuite} a fresh store, and judges what it left. */
final class BenchExtension implements BeforeEachCallback, AfterEachCallback {

    private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(BenchExtension.class);

    @Override
    public void beforeEach(ExtensionContext context) {
        var harness = Harnesses.find(context.getConfigurationParameter(Harnesses.SETTING));
        var suite = (BrokerSuite) context.getRequiredTestInstance();
        var bench = Bench.open(() -> suite.open(harness));
        context.getStore(NAMESPACE).put(Bench.class, new Holder(bench));
        suite.use(harness, bench);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        var holder = context.getStore(NAMESPACE).get(Bench.class, Holder.class);
        if (holder == null) {
            return;
        }
        var aborted = context.getExecutionException()
                .filter(org.opentest4j.TestAbortedException.class::isInstance)
                .isPresent();
        // A failure here is added to the test's own, if it has one.
        try (var bench = holder.bench()) {
            if (!aborted) {
                bench.check();
            }
        }
    }

    /** Keeps the bench from being closed by the framework before it was checked. */
    private record Holder(Bench bench) {}
}
