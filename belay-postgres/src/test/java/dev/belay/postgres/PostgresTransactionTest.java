package dev.belay.postgres;

import org.junit.platform.suite.api.SelectPackages;
import org.junit.platform.suite.api.Suite;

@Suite
@SelectPackages("dev.belay.tck.transaction")
class PostgresTransactionTest {}
