package outbox.micrometer;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import outbox.destination.DestinationHealth;
import outbox.destination.DestinationHealth.State;
import outbox.destination.GuardedDestination;

/**
 * Meters of a destination: whether it takes events, and what became of those that it was given. A
 * scrape asks the guard for what it knows anyway, and waits for nobody.
 *
 * <p>They need {@code outbox-destinations} on the class path, and are named {@code
 * outbox.destination.*}. The tag {@code destination} is the destination's name. It must be unique
 * in the registry: of two that are the same only the first is shown. {@link #close} removes the
 * meters, and leaves the destination as it is.
 *
 * <pre>{@code
 * for (GuardedDestination destination : routes.destinations()) {
 *   DestinationMeters.of(registry, destination);
 * }
 * }</pre>
 */
public final class DestinationMeters implements AutoCloseable {

  private final MeterRegistry registry;
  private final GuardedDestination destination;
  private final Meters meters;
  private final List<Meter> registered = new ArrayList<>();

  /** Registers the meters of a destination, which are there until the result is closed. */
  public static DestinationMeters of(MeterRegistry registry, GuardedDestination destination) {
    return new DestinationMeters(
        registry, Objects.requireNonNull(destination, "destination must not be null"));
  }

  private DestinationMeters(MeterRegistry registry, GuardedDestination destination) {
    this.registry = registry;
    this.destination = destination;
    meters =
        new Meters(registry, MicrometerMetricsExporter.DEFAULT_PREFIX, Tags.empty())
            .tagged("destination", destination.name());
    for (State state : State.values()) {
      registered.add(inState(state));
    }
    registered.add(
        meters.gauge(
            "destination.in.flight",
            "Events that wait for the destination's answer",
            null,
            destination,
            guard -> guard.health().inFlight()));
    registered.add(events("delivered", DestinationHealth::delivered));
    registered.add(events("failed", DestinationHealth::failed));
    registered.add(events("deferred", DestinationHealth::deferred));
    registered.add(
        meters.counter(
            "destination.outages",
            "How often the destination went away",
            destination,
            guard -> guard.health().outages()));
  }

  private Meter inState(State state) {
    return meters
        .tagged("state", state.name().toLowerCase(Locale.ROOT))
        .gauge(
            "destination.state",
            "1 if the destination is in this state",
            null,
            destination,
            guard -> guard.health().state() == state ? 1 : 0);
  }

  private Meter events(String result, ToDoubleFunction<DestinationHealth> count) {
    return meters
        .tagged("result", result)
        .counter(
            "destination.events",
            "What became of the events that the destination was given",
            destination,
            guard -> count.applyAsDouble(guard.health()));
  }

  @Override
  public void close() {
    registered.forEach(registry::remove);
  }
}
