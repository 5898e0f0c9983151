package outbox.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.NonRetryableException;
import outbox.destination.DestinationRoutes;
import outbox.destination.GuardedDestination;
import outbox.destination.UnavailableException;
import outbox.internal.BatchMarks;

class DestinationMetersTest {

  private final MeterRegistry registry = new SimpleMeterRegistry();
  private final AnsweredDestination billing = new AnsweredDestination("billing");
  private final GuardedDestination guard =
      GuardedDestination.builder(billing).outageAfter(1).build();

  @Test
  void eventsAreCountedByWhatBecameOfThem() {
    DestinationMeters.of(registry, guard);

    CompletableFuture<Object> first = send();
    assertThat(registry.get("outbox.destination.in.flight").gauge().value()).isEqualTo(1);
    first.complete(null);
    send().completeExceptionally(new NonRetryableException("refused"));
    send().completeExceptionally(new UnavailableException("connection refused", null));

    assertThat(events("delivered")).isEqualTo(1);
    assertThat(events("failed")).isEqualTo(1);
    assertThat(events("deferred")).isEqualTo(1);
    assertThat(registry.get("outbox.destination.outages").functionCounter().count()).isEqualTo(1);
    assertThat(registry.get("outbox.destination.in.flight").gauge().value()).isZero();
  }

  @Test
  void oneStateHoldsAtATime() {
    DestinationMeters.of(registry, guard);
    assertThat(states()).containsExactly("up");

    send().completeExceptionally(new UnavailableException("connection refused", null));
    assertThat(states()).containsExactly("down");

    guard.pause();
    assertThat(states()).containsExactly("paused");

    guard.close();
    assertThat(states()).containsExactly("closed");
  }

  @Test
  void eachDestinationHasItsOwn() {
    DestinationRoutes routes =
        DestinationRoutes.builder()
            .otherwise(guard, new GuardedDestination(new AnsweredDestination("mail")))
            .build();

    // docs:begin destinations
    for (GuardedDestination destination : routes.destinations()) {
      DestinationMeters.of(registry, destination);
    }
    // docs:end destinations

    assertThat(registry.find("outbox.destination.in.flight").gauges())
        .extracting(gauge -> gauge.getId().getTag("destination"))
        .containsExactlyInAnyOrder("billing", "mail");
  }

  @Test
  void closeRemovesThemAll() {
    DestinationMeters.of(registry, guard).close();

    assertThat(registry.getMeters()).isEmpty();
  }

  private CompletableFuture<Object> send() {
    List<EventEnvelope> events = List.of(EventEnvelope.ofJson("OrderPlaced", "{}"));
    guard.onEventsAsync(events, new BatchMarks(events));
    return billing.answer();
  }

  private double events(String result) {
    return registry
        .get("outbox.destination.events")
        .tags("destination", "billing", "result", result)
        .functionCounter()
        .count();
  }

  private List<String> states() {
    return registry.find("outbox.destination.state").gauges().stream()
        .filter(gauge -> gauge.value() == 1)
        .map(gauge -> gauge.getId().getTag("state"))
        .toList();
  }
}
