package outbox.destination;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.EventListener;
import outbox.OutboxWriter;
import outbox.dispatch.UnroutableEventException;
import outbox.internal.Require;
import outbox.registry.ListenerRegistry;
import outbox.spi.Transaction;

/**
 * Says which destinations an event goes to, and gets it to each of them whatever becomes of the
 * others.
 *
 * <p>An event goes to the destinations of all routes that match it, and to those of {@code
 * otherwise} if none does. Events of a type that can have one destination only are sent as they
 * are. Where there can be several, a row of its own is written for each ({@code outbox-to:<name>}),
 * and the event is DONE: from then on each is delivered, retried, put off and buried by itself,
 * also after a restart.
 *
 * <p>Where order is kept, it is kept per aggregate and destination. Events that could be sent as
 * they are get a row for their destination, too, if others of their aggregates can have one.
 *
 * <p>To a poller with {@code routableOnly} it offers only types whose destination takes events now:
 * during an outage they stay in the table untouched.
 *
 * <pre>{@code
 * DestinationRoutes routes =
 *     DestinationRoutes.builder()
 *         .route(EventMatch.ofType("OrderPlaced", "OrderPaid"), kafka)
 *         .route(EventMatch.ofType("OrderPlaced").tenant("acme"), webhook)
 *         .build();
 * Outbox outbox =
 *     Outbox.multiNode().database(database).listenerRegistry(routes).routableOnly().build();
 * routes.fanOutBy(outbox.writer(), database::begin);
 * }</pre>
 */
public final class DestinationRoutes implements ListenerRegistry, AutoCloseable {

  private static final int MOST_PAIRS = 10_000;

  private record Pair(String aggregateType, String eventType) {}

  /** By identity events are gathered into batches, so each is there once. */
  private record Sole(GuardedDestination destination, boolean copiesInOrder) {}

  private final RouteTable table;
  private final boolean copiesAllInOrder;
  private final Map<String, GuardedDestination> destinations;
  private final Map<String, CopyListener> copies = new LinkedHashMap<>();
  private final Map<Pair, Optional<EventListener>> listeners = new ConcurrentHashMap<>();
  private final Map<Sole, SoleDestination> soles = new ConcurrentHashMap<>();
  private final FanOut fanOut;
  private final OfferedTypes offered;

  private DestinationRoutes(Builder builder) {
    table = new RouteTable(builder.routes, builder.otherwise);
    copiesAllInOrder = builder.copiesAllInOrder;
    destinations = Map.copyOf(builder.destinations);
    destinations.forEach((name, to) -> copies.put(name, new CopyListener(to)));
    fanOut = new FanOut(table::destinationsOf, this::copiesNotTaken);
    offered =
        new OfferedTypes(List.copyOf(destinations.values()), builder.knownTypes(), table::possible);
  }

  public static Builder builder() {
    return new Builder();
  }

  /**
   * How to write the rows of events that go to several destinations: the writer of the outbox that
   * these routes are for, and what begins a transaction that it takes part in. To be called before
   * the outbox is started.
   */
  public void fanOutBy(OutboxWriter writer, Callable<? extends Transaction> begin) {
    fanOut.writesWith(
        Objects.requireNonNull(writer, "writer must not be null"),
        Objects.requireNonNull(begin, "begin must not be null"));
  }

  /** Takes back {@link #fanOutBy}: until it is called again, such events wait. */
  public void fanOutNoMore() {
    fanOut.writesNoMore();
  }

  /** Whether {@link #fanOutBy} was called. */
  public boolean canFanOut() {
    return fanOut.canWrite();
  }

  @Override
  public @Nullable EventListener listenerFor(String aggregateType, String eventType) {
    Pair pair = new Pair(aggregateType, eventType);
    Optional<EventListener> known = listeners.get(pair);
    if (known == null) {
      known = Optional.ofNullable(find(pair));
      if (listeners.size() < MOST_PAIRS) {
        Optional<EventListener> before = listeners.putIfAbsent(pair, known);
        known = before == null ? known : before;
      }
    }
    return known.orElse(null);
  }

  /** Those whose destination takes events now; unknown if a route takes whatever type it gets. */
  @Override
  public Optional<Set<String>> eventTypes() {
    return offered.now();
  }

  /** Where this event goes; empty if no route matches. */
  public List<GuardedDestination> destinationsOf(EventEnvelope event) {
    return table.destinationsOf(event);
  }

  /** All that some event may go to, in no order. */
  public List<GuardedDestination> destinations() {
    return List.copyOf(destinations.values());
  }

  public List<DestinationHealth> health() {
    return destinations.values().stream().map(GuardedDestination::health).toList();
  }

  /** Closes the destinations; the outbox has to be closed before. */
  @Override
  public void close() {
    RuntimeException failure = null;
    for (GuardedDestination destination : destinations.values()) {
      try {
        destination.close();
      } catch (RuntimeException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  static UnroutableEventException unroutable(EventEnvelope event) {
    return new UnroutableEventException(
        "no route matches event %s of aggregate type %s, event type %s and tenant %s; add one, then replay the event"
            .formatted(
                event.eventId(), event.aggregateType(), event.eventType(), event.tenantId()));
  }

  private Set<String> copiesNotTaken() {
    return destinations.values().stream()
        .filter(GuardedDestination::isLeftAlone)
        .map(destination -> Copy.type(destination.name()))
        .collect(Collectors.toUnmodifiableSet());
  }

  private @Nullable EventListener find(Pair pair) {
    if (pair.eventType().startsWith(Copy.TYPE)) {
      return copies.get(pair.eventType().substring(Copy.TYPE.length()));
    }
    Set<GuardedDestination> possible = table.possible(pair.aggregateType(), pair.eventType());
    return switch (possible.size()) {
      case 0 -> null;
      case 1 -> only(possible.iterator().next(), pair);
      default -> fanOut;
    };
  }

  private EventListener only(GuardedDestination destination, Pair pair) {
    boolean copiesInOrder = copiesAllInOrder || table.isCopied(pair.aggregateType(), destination);
    return !copiesInOrder && table.isComplete(pair.aggregateType(), pair.eventType())
        ? destination
        : soles.computeIfAbsent(
            new Sole(destination, copiesInOrder),
            sole -> new SoleDestination(destination, copiesInOrder, table, fanOut));
  }

  /** Builds {@link DestinationRoutes}. */
  public static final class Builder {

    private final List<RouteTable.Route> routes = new ArrayList<>();
    private final List<GuardedDestination> otherwise = new ArrayList<>();
    private final Set<String> moreTypes = new LinkedHashSet<>();
    private final Map<String, GuardedDestination> destinations = new LinkedHashMap<>();
    private boolean copiesAllInOrder;

    private Builder() {}

    /** Sends the events that match to these destinations, too. */
    public Builder route(EventMatch match, GuardedDestination... to) {
      Objects.requireNonNull(match, "match must not be null");
      match
          .eventTypes()
          .forEach(
              type ->
                  Require.check(
                      !type.startsWith(Copy.TYPE),
                      "eventType",
                      "one that doesn't begin with " + Copy.TYPE,
                      type));
      routes.add(new RouteTable.Route(match, known(to)));
      return this;
    }

    /** Sends the events that no route matches to these destinations. */
    public Builder otherwise(GuardedDestination... to) {
      otherwise.addAll(known(to));
      return this;
    }

    /**
     * Which event types there are besides those that routes name. Needed by {@code routableOnly} if
     * there is {@code otherwise}, or a route that names none.
     */
    public Builder eventTypes(String... types) {
      moreTypes.addAll(Arrays.asList(types));
      return this;
    }

    /**
     * Writes a row for the destination also of events that can have one only, where order is kept:
     * then routes can change while nodes with the old ones still run. Default: only of events whose
     * aggregates have others that are copied for the same destination.
     */
    public Builder copyAllInOrder() {
      copiesAllInOrder = true;
      return this;
    }

    /**
     * The routes so far.
     *
     * @throws IllegalArgumentException if there is no destination, or more than 64
     */
    public DestinationRoutes build() {
      Require.check(!destinations.isEmpty(), "routes", "one at least", "none");
      return new DestinationRoutes(this);
    }

    /** Null if nobody can tell. */
    private @Nullable Set<String> knownTypes() {
      boolean isOpen =
          !otherwise.isEmpty() || routes.stream().anyMatch(r -> r.match().eventTypes().isEmpty());
      if (isOpen && moreTypes.isEmpty()) {
        return null;
      }
      Set<String> types = new LinkedHashSet<>(moreTypes);
      routes.forEach(route -> types.addAll(route.match().eventTypes()));
      return types;
    }

    private List<GuardedDestination> known(GuardedDestination... to) {
      Require.check(to.length > 0, "destinations", "one at least", "none");
      for (GuardedDestination destination : to) {
        GuardedDestination before = destinations.putIfAbsent(destination.name(), destination);
        Require.check(
            before == null || before == destination,
            "name of the destination",
            "unique",
            destination.name());
      }
      return List.of(to);
    }
  }
}
