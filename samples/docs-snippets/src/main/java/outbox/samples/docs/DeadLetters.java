package outbox.samples.docs;

import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import outbox.dead.BatchOptions;
import outbox.dead.BatchProgress;
import outbox.dead.DeadEventManager;
import outbox.dead.DeadPage;
import outbox.dead.StopSignal;
import outbox.model.DeadFilter;
import outbox.model.DeadQuery;
import outbox.model.EventDetails;

/** What an operator does with events that failed for good. */
final class DeadLetters {

  private final DeadEventManager deadEvents;

  DeadLetters(DeadEventManager deadEvents) {
    this.deadEvents = deadEvents;
  }

  static DeadFilter filter(Instant outageBegan, Instant outageEnded) {
    // docs:begin filter
    DeadFilter refused =
        DeadFilter.all()
            .withEventType("OrderPlaced")
            .withDied(outageBegan, outageEnded)
            .withErrorText("connection refused");
    // docs:end filter
    return refused;
  }

  void showAll(DeadFilter filter, Consumer<EventDetails> show) {
    // docs:begin pages
    Optional<DeadQuery> next = Optional.of(DeadQuery.of(filter).newestFirst().withLimit(50));
    while (next.isPresent()) {
      DeadPage page = deadEvents.page(next.get());
      page.events().forEach(show);
      next = page.next();
    }
    // docs:end pages
  }

  BatchProgress replay(DeadFilter filter, StopSignal stop) {
    // docs:begin replay-many
    BatchOptions gently = BatchOptions.defaults().withEventsPerSecond(50).stoppedBy(stop);

    BatchProgress plan = deadEvents.replay(filter, gently.asDryRun());
    System.out.println(plan.matched() + " events would be replayed");

    BatchProgress end = deadEvents.replay(filter, gently);
    System.out.println(end.state() + ", replayed " + end.changed() + " of " + end.matched());
    // docs:end replay-many
    return end;
  }

  void discard(String eventId, DeadFilter filter) {
    // docs:begin discard
    deadEvents.discard(eventId, "sent by hand, ticket 4711");
    deadEvents.discard(filter, "the customer is gone", BatchOptions.defaults());
    // docs:end discard
  }
}
