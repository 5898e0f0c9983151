package outbox.faults.scenario;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** How a scenario ended on each database. */
final class ScenarioVerdicts implements TestExecutionListener {

  private final Map<String, TestExecutionResult> byDatabase = new HashMap<>();
  private TestPlan plan;

  private ScenarioVerdicts() {}

  /** Runs it. */
  static ScenarioVerdicts of(DiscoverySelector scenario) {
    ScenarioVerdicts verdicts = new ScenarioVerdicts();
    LauncherFactory.create()
        .execute(LauncherDiscoveryRequestBuilder.request().selectors(scenario).build(), verdicts);
    return verdicts;
  }

  @Override
  public void testPlanExecutionStarted(TestPlan testPlan) {
    plan = testPlan;
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    if (test.isTest()) {
      byDatabase.put(plan.getParent(test).orElseThrow().getDisplayName(), result);
    }
  }

  boolean passes(String database) {
    TestExecutionResult result = byDatabase.get(database);
    return result != null && result.getStatus() == TestExecutionResult.Status.SUCCESSFUL;
  }

  /** One of these checks says that something is wrong: what else can fail is no verdict. */
  boolean failsBy(String database, List<String> checks) {
    TestExecutionResult result = byDatabase.get(database);
    return result != null
        && result
            .getThrowable()
            .filter(AssertionError.class::isInstance)
            .map(failure -> String.valueOf(failure.getMessage()))
            .filter(message -> checks.stream().anyMatch(message::contains))
            .isPresent();
  }

  /** Why it failed, in a line. */
  String reason(String database) {
    TestExecutionResult result = byDatabase.get(database);
    return result == null
        ? "it didn't run"
        : result
            .getThrowable()
            .map(failure -> String.valueOf(failure.getMessage()).strip().lines().findFirst())
            .map(line -> line.orElse("without a message"))
            .orElse("no failure");
  }
}
