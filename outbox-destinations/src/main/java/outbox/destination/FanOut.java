package outbox.destination;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import outbox.BatchEventListener;
import outbox.BatchResult;
import outbox.DeferException;
import outbox.EventEnvelope;
import outbox.NonRetryableException;
import outbox.OutboxException;
import outbox.OutboxWriter;
import outbox.WriteResult;
import outbox.dispatch.UnroutableEventException;
import outbox.spi.Transaction;

/**
 * Writes a {@link Copy} of each event for each of its destinations. All copies of an event are
 * there or none is, and none is there twice, however often the event comes.
 */
final class FanOut implements BatchEventListener {

  private record Outlet(OutboxWriter writer, Callable<? extends Transaction> begin) {}

  private final Function<EventEnvelope, List<GuardedDestination>> routes;
  private volatile @Nullable Outlet outlet;

  FanOut(Function<EventEnvelope, List<GuardedDestination>> routes) {
    this.routes = routes;
  }

  void writesWith(OutboxWriter writer, Callable<? extends Transaction> begin) {
    outlet = new Outlet(writer, begin);
  }

  boolean canWrite() {
    return outlet != null;
  }

  @Override
  public void onEvents(List<EventEnvelope> events, BatchResult result) throws Exception {
    Outlet to = outlet;
    if (to == null) {
      throw new DeferException(
          Duration.ofSeconds(10),
          "event goes to several destinations, and nobody has said how to write its copies; call"
              + " DestinationRoutes.fanOutBy before the outbox is started");
    }
    List<EventEnvelope> copies = new ArrayList<>();
    for (EventEnvelope event : events) {
      try {
        copies.addAll(copiesOf(event));
      } catch (UnroutableEventException | NonRetryableException e) {
        result.failed(event, e);
      }
    }
    if (!copies.isEmpty()) {
      write(to, copies);
    }
  }

  private List<EventEnvelope> copiesOf(EventEnvelope event) throws UnroutableEventException {
    List<GuardedDestination> destinations = routes.apply(event);
    if (destinations.isEmpty()) {
      throw DestinationRoutes.unroutable(event);
    }
    try {
      return destinations.stream().map(to -> Copy.of(event, to.name())).toList();
    } catch (IllegalArgumentException e) { // its headers leave no room for ours
      throw new NonRetryableException(
          "event %s can't be copied for its destinations".formatted(event.eventId()), e);
    }
  }

  /** In one statement at first; if some were written by a try before, one by one. */
  private static void write(Outlet to, List<EventEnvelope> copies) throws Exception {
    try {
      inTransaction(to, () -> writeAll(to.writer(), copies));
    } catch (Exception first) {
      try {
        inTransaction(to, () -> copies.forEach(copy -> writeUnlessThere(to.writer(), copy)));
      } catch (Exception second) {
        second.addSuppressed(first);
        throw second;
      }
    }
  }

  private static void inTransaction(Outlet to, Runnable work) throws Exception {
    try (Transaction transaction = to.begin().call()) {
      work.run();
      transaction.commit();
    }
  }

  private static void writeAll(OutboxWriter writer, List<EventEnvelope> copies) {
    Set<String> written = Set.copyOf(writer.writeAll(copies));
    Set<String> wanted =
        copies.stream().map(EventEnvelope::eventId).collect(Collectors.toUnmodifiableSet());
    if (!written.containsAll(wanted)) {
      throw suppressed();
    }
  }

  private static void writeUnlessThere(OutboxWriter writer, EventEnvelope copy) {
    if (writer.writeIfAbsent(copy) == WriteResult.SUPPRESSED) {
      throw suppressed();
    }
  }

  private static OutboxException suppressed() {
    return new OutboxException(
        "copies for destinations were suppressed by the outbox's hook for writers; let through"
            + " what has a type that begins with "
            + Copy.TYPE,
        null);
  }
}
