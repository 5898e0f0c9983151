package outbox.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.engine.discovery.MethodSelector;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;
import outbox.faults.mutant.Mutant;
import outbox.faults.world.World;

/** Every mistake that the engine could make is found by a scenario: {@code make fault-mutants}. */
@Tag("mutants")
class FaultMutantsTest {

  /** What is to find each of them; the same scenarios pass without it. */
  private static final Map<Mutant, MethodSelector> KILLERS = new EnumMap<>(Mutant.class);

  static {
    kills(
        Mutant.DROP_THE_FENCE,
        F3StaleOutcomeTest.class,
        "failureThatArrivesLateDoesNotFreeWhatASuccessorIsDelivering");
    kills(
        Mutant.RELEASE_BEFORE_THE_STATUS,
        F23UnwrittenStatusTest.class,
        "eventsOfANodeAloneAreDeliveredOnceThoughTheirStatusesWait");
    kills(
        Mutant.COMPLETE_BEFORE_DELIVERY,
        F1KilledNodeTest.class,
        "eventWhoseNodeDiedAfterItsDeliveryComesAgain");
    kills(
        Mutant.IGNORE_THE_EPOCH,
        F3PausedNodeTest.class,
        "partitionsOfAPausedNodeAreTakenOverAndItChangesNothingAnyMore");
    kills(
        Mutant.PASS_OPEN_TRANSACTIONS,
        F16LongTransactionTest.class,
        "openTransactionHoldsUpItsKeysOnly");
    kills(Mutant.LEASE_BY_LOCAL_CLOCK, F35ClockTest.class, "clocksThatJumpChangeNothing");
    kills(
        Mutant.HAND_OVER_WITHOUT_DRAINING,
        F7NodesComeAndGoTest.class,
        "partitionsChangeHandsWhenWhatIsBeingDeliveredHasEnded");
  }

  private static void kills(Mutant mutant, Class<? extends Scenario> scenario, String claim) {
    KILLERS.put(mutant, selectMethod(scenario, claim));
  }

  /** All of them, or those that are asked for. */
  static Stream<Mutant> mutants() {
    String asked = System.getProperty("outbox.mutants", "");
    return Stream.of(Mutant.values())
        .filter(mutant -> asked.isEmpty() || List.of(asked.split(" ")).contains(mutant.name()));
  }

  @ParameterizedTest
  @MethodSource("mutants")
  void mutantIsKilled(Mutant mutant) {
    MethodSelector killer = KILLERS.get(mutant);
    assertThat(killer).as("the killer of %s", mutant).isNotNull();

    TestExecutionSummary summary = runAs(mutant, killer);

    assertThat(summary.getTestsFoundCount()).isPositive();
    List<String> deaths =
        summary.getFailures().stream()
            .map(failure -> failure.getException())
            .flatMap(death -> Stream.ofNullable(death.getMessage()))
            .map(message -> message.strip().lines().findFirst().orElse(""))
            .toList();
    System.out.printf(
        "%-28s %s%n",
        mutant,
        deaths.isEmpty()
            ? "SURVIVED " + killer.getJavaClass().getSimpleName()
            : "killed by " + killer.getJavaClass().getSimpleName() + ": " + deaths.get(0));
    assertThat(summary.getTestsFailedCount()).as("scenarios that %s fails", mutant).isPositive();
  }

  private static TestExecutionSummary runAs(Mutant mutant, MethodSelector scenario) {
    System.setProperty(World.MUTANT, mutant.name());
    try {
      SummaryGeneratingListener listener = new SummaryGeneratingListener();
      LauncherFactory.create()
          .execute(LauncherDiscoveryRequestBuilder.request().selectors(scenario).build(), listener);
      return listener.getSummary();
    } finally {
      System.clearProperty(World.MUTANT);
    }
  }
}
