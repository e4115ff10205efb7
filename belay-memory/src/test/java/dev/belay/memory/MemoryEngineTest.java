package dev.belay.memory;

import org.junit.platform.suite.api.SelectPackages;
import org.junit.platform.suite.api.Suite;

@Suite
@SelectPackages({"dev.belay.tck.engine", "dev.belay.tck.crash"})
class MemoryEngineTest {}
