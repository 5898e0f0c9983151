package outbox.faults.mutant;

import static java.util.stream.Collectors.groupingBy;
import static net.bytebuddy.matcher.ElementMatchers.named;

import java.lang.instrument.Instrumentation;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.implementation.FixedValue;
import net.bytebuddy.implementation.Implementation;
import net.bytebuddy.implementation.MethodDelegation;
import net.bytebuddy.implementation.StubMethod;
import outbox.dispatch.Mutations;
import outbox.spi.OrderedPage;

/**
 * A mistake that the engine must not make, made in the classes of a running node before they are
 * used. Scenarios that don't fail then prove nothing.
 */
public enum Mutant {
  /** A node whose claim was taken over still changes the row. */
  DROP_THE_FENCE(
      change(
          "outbox.dispatch.Delivery",
          "settlement",
          MethodDelegation.to(Mutations.UnfencedCompletion.class))),

  /** An event is free again before its status is written. */
  RELEASE_BEFORE_THE_STATUS(
      change(
          "outbox.dispatch.Completer",
          "complete",
          MethodDelegation.to(Mutations.EarlyRelease.class))),

  /** An event is done before its listener was called. */
  COMPLETE_BEFORE_DELIVERY(
      change(
          "outbox.dispatch.Deliverer",
          "deliver",
          MethodDelegation.to(Mutations.EarlyCompletion.class))),

  /** A node goes on with partitions that have got a new owner. */
  IGNORE_THE_EPOCH(
      change("outbox.ordered.Session", "isAlive", FixedValue.value(true)),
      change("outbox.ordered.Session", "isEnded", FixedValue.value(false)),
      change("outbox.jdbc.store.LeaseStatements", "holds", FixedValue.value(true))),

  /** Reading goes on behind numbers that are still to be committed. */
  PASS_OPEN_TRANSACTIONS(
      change(
          "outbox.spi.OrderedPage",
          "openTransactions",
          MethodDelegation.to(NothingIsOpen.Transactions.class)),
      change(
          "outbox.spi.OrderedPage", "openEvents", MethodDelegation.to(NothingIsOpen.Events.class))),

  /** Leases go by the clock of each machine. */
  LEASE_BY_LOCAL_CLOCK(change("outbox.internal.DatabaseClock", "align", StubMethod.INSTANCE)),

  /** Partitions change hands while events of theirs are being delivered. */
  HAND_OVER_WITHOUT_DRAINING(
      change("outbox.ordered.Holdings", "isDrained", FixedValue.value(true)));

  @SuppressWarnings("ImmutableEnumChecker") // a list that nobody changes
  private final List<Change> changes;

  Mutant(Change... changes) {
    this.changes = List.of(changes);
  }

  private record Change(String type, String method, Implementation instead) {}

  private static Change change(String type, String method, Implementation instead) {
    return new Change(type, method, instead);
  }

  /** Changes this process; call it before anything of the engine is used. */
  public void install() {
    Instrumentation instrumentation = ByteBuddyAgent.install();
    requireUnused(instrumentation);
    AgentBuilder agent =
        new AgentBuilder.Default()
            .with(AgentBuilder.Listener.StreamWriting.toSystemError().withErrorsOnly());
    for (Map.Entry<String, List<Change>> type : byType().entrySet()) {
      agent =
          agent
              .type(named(type.getKey()))
              .transform(
                  (builder, description, loader, module, domain) -> {
                    var changed = builder;
                    for (Change change : type.getValue()) {
                      changed = changed.method(named(change.method())).intercept(change.instead());
                    }
                    return changed;
                  });
    }
    agent.installOn(instrumentation);
  }

  /** What is loaded stays as it is. */
  private void requireUnused(Instrumentation instrumentation) {
    Set<String> types = byType().keySet();
    for (Class<?> loaded : instrumentation.getAllLoadedClasses()) {
      if (types.contains(loaded.getName())) {
        throw new IllegalStateException(
            "%s must be installed before %s is loaded".formatted(this, loaded.getName()));
      }
    }
  }

  private Map<String, List<Change>> byType() {
    return changes.stream().collect(groupingBy(Change::type));
  }

  /** What a page says if it shows nothing that is open. */
  public static final class NothingIsOpen {

    private NothingIsOpen() {}

    /** Instead of those that were open. */
    public static final class Transactions {
      private Transactions() {}

      public static Set<Long> none() {
        return Set.of();
      }
    }

    /** Instead of those that were open. */
    public static final class Events {
      private Events() {}

      public static List<OrderedPage.OpenEvent> none() {
        return List.of();
      }
    }
  }
}
