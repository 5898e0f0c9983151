package outbox.destination;

import java.lang.System.Logger;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.Supplier;
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
import outbox.internal.ErrorText;
import outbox.internal.RateLimitedLog;
import outbox.internal.SafeLogger;
import outbox.internal.SqlErrors;
import outbox.spi.Transaction;

/**
 * Writes a {@link Copy} of each event for each of its destinations. All copies of an event are
 * there or none is, and none is there twice, however often the event comes.
 */
final class FanOut implements BatchEventListener {

  private static final Logger LOG = SafeLogger.of(DestinationRoutes.class);
  private static final long SHORTEST_WAIT_MS = DeferException.SHORTEST_DELAY.toMillis();
  private static final long LONGEST_WAIT_MS = 3 * SHORTEST_WAIT_MS;

  private record Outlet(OutboxWriter writer, Callable<? extends Transaction> begin) {}

  private final Function<EventEnvelope, List<GuardedDestination>> routes;
  private final Supplier<Set<String>> away;
  private final RateLimitedLog unable = new RateLimitedLog(LOG);
  private final RateLimitedLog unwritten = new RateLimitedLog(LOG);
  private volatile @Nullable Outlet outlet;

  /**
   * @param routes where an event goes
   * @param away the types of copies whose destinations are away now
   */
  FanOut(Function<EventEnvelope, List<GuardedDestination>> routes, Supplier<Set<String>> away) {
    this.routes = routes;
    this.away = away;
  }

  void writesWith(OutboxWriter writer, Callable<? extends Transaction> begin) {
    outlet = new Outlet(writer, begin);
  }

  void writesNoMore() {
    outlet = null;
  }

  boolean canWrite() {
    return outlet != null;
  }

  @Override
  public void onEvents(List<EventEnvelope> events, BatchResult result) throws Exception {
    Outlet to = outlet;
    if (to == null) {
      throw withoutOutlet(events);
    }
    Map<EventEnvelope, List<EventEnvelope>> copies = new LinkedHashMap<>();
    for (EventEnvelope event : events) {
      try {
        copies.put(event, copiesOf(event));
      } catch (UnroutableEventException | NonRetryableException e) {
        result.failed(event, e);
      }
    }
    if (!copies.isEmpty()) {
      try {
        write(to, copies, result);
      } catch (Exception e) {
        throw SqlErrors.isPassing(e) ? notNow(copies.size(), e) : e;
      }
    }
  }

  /** No event is to blame for a database that can't write now; those that were marked stay so. */
  private DeferException notNow(int events, Exception failure) {
    unwritten.warn(
        events,
        count ->
            "the database can't write rows for the destinations of events now; these wait without losing attempts: events=%d failure=%s"
                .formatted(count, ErrorText.classNames(failure)));
    long millis = ThreadLocalRandom.current().nextLong(SHORTEST_WAIT_MS, LONGEST_WAIT_MS);
    return new DeferException(
        Duration.ofMillis(millis),
        "the database can't write the rows for the event's destinations now",
        failure);
  }

  /** Nothing dies of it, and nothing is delivered: somebody has to hear of it. */
  private DeferException withoutOutlet(List<EventEnvelope> events) {
    EventEnvelope first = events.get(0);
    unable.warn(
        events.size(),
        count ->
            "nobody has said how to write rows for the destinations of events, so that these wait;"
                + " call DestinationRoutes.fanOutBy before the outbox is started: events=%d last=%s of type %s"
                    .formatted(count, first.eventId(), first.eventType()));
    return new DeferException(
        Duration.ofSeconds(10),
        "nobody has said how to write the rows for the event's destinations; call"
            + " DestinationRoutes.fanOutBy before the outbox is started");
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

  /**
   * All at once at first; if some were written by a try before, one by one; and if one can't be
   * written at all, each event by itself. Where no transaction can be begun, or the database can't
   * write now, nothing more is tried: each try may take as long as a timeout.
   */
  private void write(Outlet to, Map<EventEnvelope, List<EventEnvelope>> copies, BatchResult result)
      throws Exception {
    List<EventEnvelope> all = copies.values().stream().flatMap(List::stream).toList();
    Exception first = failureOf(to.begin().call(), () -> writeAll(to.writer(), all));
    if (first == null) {
      return;
    }
    Exception second = failureOf(to.begin().call(), () -> writeUnlessThere(to.writer(), all));
    if (second == null) {
      return;
    }
    if (copies.size() == 1 || SqlErrors.isPassing(second)) {
      second.addSuppressed(first);
      throw second;
    }
    writeApart(to, copies, result);
  }

  private static void writeApart(
      Outlet to, Map<EventEnvelope, List<EventEnvelope>> copies, BatchResult result)
      throws Exception {
    for (Map.Entry<EventEnvelope, List<EventEnvelope>> entry : copies.entrySet()) {
      Exception failure =
          failureOf(to.begin().call(), () -> writeUnlessThere(to.writer(), entry.getValue()));
      if (failure == null) {
        result.delivered(entry.getKey());
      } else if (SqlErrors.isPassing(failure)) {
        throw failure;
      } else {
        result.failed(entry.getKey(), failure);
      }
    }
  }

  /** Null if the work is committed. */
  private static @Nullable Exception failureOf(Transaction begun, Runnable work) {
    try (Transaction transaction = begun) {
      work.run();
      transaction.commit();
      return null;
    } catch (Exception e) {
      return e;
    }
  }

  /**
   * Those for destinations that are away in a call of their own: what nobody takes now is inserted
   * free, and with it all that is written by the same call, which then has to be claimed first. All
   * copies for a destination stay together, and so in their order.
   */
  private void writeAll(OutboxWriter writer, List<EventEnvelope> copies) {
    Set<String> typesAway = away.get();
    copies.stream()
        .collect(Collectors.partitioningBy(copy -> typesAway.contains(copy.eventType())))
        .values()
        .forEach(part -> writeTogether(writer, part));
  }

  private static void writeTogether(OutboxWriter writer, List<EventEnvelope> copies) {
    Set<String> written = Set.copyOf(writer.writeAll(copies));
    if (!copies.stream().map(EventEnvelope::eventId).allMatch(written::contains)) {
      throw suppressed();
    }
  }

  private static void writeUnlessThere(OutboxWriter writer, List<EventEnvelope> copies) {
    for (EventEnvelope copy : copies) {
      if (writer.writeIfAbsent(copy) == WriteResult.SUPPRESSED) {
        throw suppressed();
      }
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
