package outbox.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import outbox.BatchResult;
import outbox.EventEnvelope;

/** What became of events that were sent. */
final class Sent implements BatchResult {

  private final Map<String, Optional<Throwable>> reports = new ConcurrentHashMap<>();

  static Sent of(WebhookDestination destination, EventEnvelope... events) throws Exception {
    Sent sent = new Sent();
    destination.send(List.of(events), sent).toCompletableFuture().get(1, TimeUnit.MINUTES);
    return sent;
  }

  /** The failure of one event that was sent alone. */
  static Throwable failure(WebhookDestination destination) throws Exception {
    EventEnvelope event = event();
    return of(destination, event).failure(event);
  }

  static void delivers(WebhookDestination destination) throws Exception {
    EventEnvelope event = event();
    assertThat(of(destination, event).report(event)).isEmpty();
  }

  static EventEnvelope event() {
    return event(null);
  }

  static EventEnvelope event(String aggregateId) {
    return EventEnvelope.builder("OrderPlaced")
        .aggregateType("Order")
        .aggregateId(aggregateId)
        .payloadJson("{\"total\":99}")
        .build();
  }

  @Override
  public void delivered(EventEnvelope event) {
    reports.put(event.eventId(), Optional.empty());
  }

  @Override
  public void failed(EventEnvelope event, Throwable failure) {
    reports.put(event.eventId(), Optional.of(failure));
  }

  Optional<Throwable> report(EventEnvelope event) {
    return reports.get(event.eventId());
  }

  Throwable failure(EventEnvelope event) {
    assertThat(report(event)).as("failure of the event").isPresent();
    return report(event).orElseThrow();
  }
}
