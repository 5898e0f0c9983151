package outbox.destination.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import outbox.EventEnvelope;
import outbox.destination.Destination;

/** The broker of a contract, and the destinations that its tests open. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class DestinationSession {

  /** Stands in every payload and must stand nowhere else. */
  private static final String CONFIDENTIAL = "only-the-receiver-may-read-this";

  private final List<Destination> opened = new ArrayList<>();
  private @Nullable DestinationFixture fixture;

  /** Starts the broker; called once. */
  protected abstract DestinationFixture start() throws Exception;

  /**
   * How long a test waits for what takes a moment only, on a machine that has other things to do.
   */
  protected Duration patience() {
    return Duration.ofMinutes(1);
  }

  @BeforeAll
  void startFixture() throws Exception {
    fixture = start();
  }

  @AfterEach
  void closeDestinations() throws Exception {
    fixture().startBroker();
    opened.forEach(Destination::close);
    opened.clear();
  }

  @AfterAll
  void stopFixture() throws Exception {
    if (fixture != null) {
      fixture.close();
    }
  }

  final DestinationFixture fixture() {
    return Objects.requireNonNull(fixture, "fixture must have been started");
  }

  /** Closed after the test. */
  final Destination open() throws Exception {
    Destination destination = fixture().open();
    opened.add(destination);
    return destination;
  }

  /** Sends, waits for the end, and looks at every failure for what it must not tell. */
  final Sending send(Destination destination, List<EventEnvelope> events) throws Exception {
    return ended(Sending.of(destination, events));
  }

  final Sending ended(Sending sending) throws Exception {
    sending.await(patience());
    sending.failures().values().forEach(this::tellsNoSecrets);
    return sending;
  }

  /** What has arrived of these events, once it is at least one of each. */
  final List<Received> awaitArrivalOf(Collection<EventEnvelope> events) {
    return awaitArrival(ids(events));
  }

  final List<Received> awaitArrival(Set<String> ids) {
    return await()
        .atMost(patience())
        .until(
            () -> arrivedOf(ids),
            arrived ->
                arrived.stream()
                    .map(Received::eventId)
                    .collect(Collectors.toSet())
                    .containsAll(ids));
  }

  final List<Received> arrivedOf(Set<String> ids) throws Exception {
    return fixture().received().stream()
        .filter(received -> received.eventId() != null && ids.contains(received.eventId()))
        .toList();
  }

  static Set<String> ids(Collection<EventEnvelope> events) {
    return events.stream()
        .map(EventEnvelope::eventId)
        .collect(Collectors.toCollection(HashSet::new));
  }

  static List<EventEnvelope> events(String aggregateId, int count) {
    return IntStream.range(0, count).mapToObj(i -> event(aggregateId).build()).toList();
  }

  static EventEnvelope.Builder event(@Nullable String aggregateId) {
    return EventEnvelope.builder("OrderPlaced")
        .aggregateType("Order")
        .aggregateId(aggregateId)
        .payloadJson("{\"secret\":\"%s\"}".formatted(CONFIDENTIAL));
  }

  /** An event that the broker refuses because of its size. */
  final EventEnvelope tooLarge(String aggregateId) {
    return event(aggregateId)
        .payloadJson(null)
        .payloadBytes(
            CONFIDENTIAL.repeat(fixture().tooLarge() / CONFIDENTIAL.length() + 1).getBytes(UTF_8))
        .build();
  }

  final void tellsNoSecrets(Throwable failure) {
    StringWriter told = new StringWriter();
    failure.printStackTrace(new PrintWriter(told));
    assertThat(told.toString()).doesNotContain(CONFIDENTIAL);
    fixture().secrets().forEach(secret -> assertThat(told.toString()).doesNotContain(secret));
  }
}
