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
import outbox.faults.mutant.Mutant;
import outbox.faults.world.Server;
import outbox.faults.world.World;

/**
 * Every mistake that the engine could make is found by a scenario, on each database, and by the
 * check that is there for it: {@code make fault-mutants}. A scenario that fails for another reason,
 * because it could not begin or had to wait for too long, has found nothing. Each scenario passes
 * without the mistake, which is tried just before.
 */
@Tag("mutants")
class FaultMutantsTest {

  /**
   * What is to find a mutant.
   *
   * @param checks of which one fails, by a part of its message
   */
  private record Killer(MethodSelector scenario, List<String> checks) {

    String name() {
      return scenario.getJavaClass().getSimpleName();
    }
  }

  private static final Map<Mutant, Killer> KILLERS = new EnumMap<>(Mutant.class);

  static {
    kills(
        Mutant.DROP_THE_FENCE,
        F3StaleOutcomeTest.class,
        "failureThatArrivesLateDoesNotFreeWhatASuccessorIsDelivering",
        "that came again");
    kills(
        Mutant.RELEASE_BEFORE_THE_STATUS,
        F23UnwrittenStatusTest.class,
        "eventsOfANodeAloneAreDeliveredOnceThoughTheirStatusesWait",
        "that came again");
    kills(
        Mutant.COMPLETE_BEFORE_DELIVERY,
        F1KilledInListenerTest.class,
        "eventsWhoseListenersWereCalledAreDeliveredByAnother",
        "ended, but never delivered");
    kills(
        Mutant.IGNORE_THE_EPOCH,
        F3PausedNodeTest.class,
        "partitionsOfAPausedNodeAreTakenOverAndItChangesNothingAnyMore",
        "that came again",
        "repeated without an excuse",
        "begun by workers that stood still",
        "calls of zombie",
        "out of order");
    kills(
        Mutant.PASS_OPEN_TRANSACTIONS,
        F16LongTransactionTest.class,
        "openTransactionHoldsUpItsKeysOnly",
        "out of order");
    kills(
        Mutant.LEASE_BY_LOCAL_CLOCK,
        F35ClockAheadTest.class,
        "nodeWhoseClockIsAheadTakesNoClaimsOfOthers",
        "that came again");
    kills(
        Mutant.HAND_OVER_WITHOUT_DRAINING,
        F7NodesComeAndGoTest.class,
        "partitionsChangeHandsWhenWhatIsBeingDeliveredHasEnded",
        "that came again");
  }

  private static void kills(
      Mutant mutant, Class<? extends Scenario> scenario, String claim, String... checks) {
    KILLERS.put(mutant, new Killer(selectMethod(scenario, claim), List.of(checks)));
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
    Killer killer = KILLERS.get(mutant);
    assertThat(killer).as("the killer of %s", mutant).isNotNull();

    ScenarioVerdicts sound = ScenarioVerdicts.of(killer.scenario());
    ScenarioVerdicts mutated = runAs(mutant, killer.scenario());

    for (Server server : Server.values()) {
      System.out.printf(
          "%-28s %-11s %s%n", mutant, server, outcome(killer, sound, mutated, server));
    }
    assertThat(Server.values())
        .as("databases on which %s passes without %s", killer.name(), mutant)
        .allMatch(server -> sound.passes(server.toString()));
    assertThat(Server.values())
        .as("databases on which %s fails by %s with %s", killer.name(), killer.checks(), mutant)
        .allMatch(server -> mutated.failsBy(server.toString(), killer.checks()));
  }

  private static String outcome(
      Killer killer, ScenarioVerdicts sound, ScenarioVerdicts mutated, Server server) {
    String name = server.toString();
    if (!sound.passes(name)) {
      return "UNPROVEN, " + killer.name() + " fails without it: " + sound.reason(name);
    }
    if (mutated.passes(name)) {
      return "SURVIVED " + killer.name();
    }
    return (mutated.failsBy(name, killer.checks()) ? "killed by " : "SURVIVED, another failure of ")
        + killer.name()
        + ": "
        + mutated.reason(name);
  }

  private static ScenarioVerdicts runAs(Mutant mutant, MethodSelector scenario) {
    System.setProperty(World.MUTANT, mutant.name());
    try {
      return ScenarioVerdicts.of(scenario);
    } finally {
      System.clearProperty(World.MUTANT);
    }
  }
}
