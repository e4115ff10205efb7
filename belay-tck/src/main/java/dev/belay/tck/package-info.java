/**
 * The contract suites that every Belay broker passes, and what runs them.
 *
 * <p>A broker module takes part with three small files in its test folder:
 *
 * <ol>
 *   <li>a {@link dev.belay.tck.BrokerHarness}, which opens empty {@linkplain dev.belay.tck.Store stores} with a movable
 *       clock;
 *   <li>{@code META-INF/services/dev.belay.tck.BrokerHarness} with the name of that class;
 *   <li>one class that selects the suites:
 *       <pre>{@code
 * @Suite
 * @SelectPackages("dev.belay.tck.contract")
 * class SqliteContractTest {}
 * }</pre>
 * </ol>
 *
 * <p>Where several harnesses are on the class path, {@code @ConfigurationParameter(key = "belay.tck.harness", value =
 * "sqlite")} on that class names the one to run.
 *
 * <p>A broker that is not the reference broker also selects {@code dev.belay.tck.model}, random operations compared with
 * the reference broker side by side; it gives a {@link dev.belay.tck.ModelOracle} for that.
 *
 * <p>A {@link dev.belay.broker.TransactionalBroker} also selects {@code dev.belay.tck.transaction}, and its stores tell the
 * {@linkplain dev.belay.tck.Store#jdbcUrl URL} of their database.
 *
 * <p>Every suite extends {@link dev.belay.tck.BrokerSuite}, which hands it a fresh store. After every test the invariants
 * are checked by the framework, not by the test's author: see {@link dev.belay.tck.Invariants}. Suites never sleep and
 * never wait for time to pass: they move the clock.
 */
@org.jspecify.annotations.NullMarked
package dev.belay.tck;
