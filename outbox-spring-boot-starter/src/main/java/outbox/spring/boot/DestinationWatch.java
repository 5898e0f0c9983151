package outbox.spring.boot;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;
import outbox.micrometer.DestinationMeters;

/** Has the meters of every destination of this context in the registry, until it is closed. */
final class DestinationWatch implements ApplicationListener<ContextRefreshedEvent>, AutoCloseable {

  private final MeterRegistry registry;
  private final GuardedDestinations destinations;
  private final List<DestinationMeters> watched = new ArrayList<>();

  DestinationWatch(MeterRegistry registry, GuardedDestinations destinations) {
    this.registry = registry;
    this.destinations = destinations;
  }

  /** Also told of contexts below this one, which change nothing. */
  @Override
  public synchronized void onApplicationEvent(ContextRefreshedEvent event) {
    if (watched.isEmpty()) {
      destinations
          .ofThisContext()
          .forEach(destination -> watched.add(DestinationMeters.of(registry, destination)));
    }
  }

  @Override
  public synchronized void close() {
    watched.forEach(DestinationMeters::close);
    watched.clear();
  }
}
