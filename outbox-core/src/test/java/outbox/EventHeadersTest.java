package outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EventHeadersTest {

  private static EventEnvelope.Builder builder() {
    return EventEnvelope.builder("T").payloadJson("{}");
  }

  @Test
  void headersAreAddedOneByOneAndKeepTheirOrder() {
    EventEnvelope event = builder().header("z", "1").header("a", null).header("z", "2").build();

    assertThat(event.headers().keySet()).containsExactly("z", "a");
    assertThat(event.header("z")).isEqualTo("2");
    assertThat(event.header("a")).isNull();
    assertThat(event.header("unknown")).isNull();
  }

  @Test
  void replacingAllHeadersForgetsThoseAddedBefore() {
    EventEnvelope event =
        builder().topic("orders").headers(Map.of("k", "v")).header("l", "w").build();

    assertThat(event.headers()).isEqualTo(Map.of("k", "v", "l", "w"));
  }

  @Test
  void headersAddedLaterLeaveTheRestOfTheEventAndItsOwnHeadersAlone() {
    EventEnvelope event =
        EventEnvelope.builder("T")
            .eventId("id")
            .occurredAt(Instant.EPOCH)
            .availableAt(Instant.EPOCH)
            .aggregateType("Order")
            .aggregateId("42")
            .tenantId("acme")
            .header("k", "own")
            .payloadBytes(new byte[] {1, 2})
            .build();

    EventEnvelope more = event.withHeaders(Map.of("k", "other", "l", "w"));

    assertThat(more).usingRecursiveComparison().ignoringFields("headers").isEqualTo(event);
    assertThat(more.headers()).isEqualTo(Map.of("k", "own", "l", "w"));
    assertThat(event.headers()).isEqualTo(Map.of("k", "own"));
  }

  @Test
  void headersAddedLaterAreCheckedLikeOthers() {
    EventEnvelope event = builder().build();

    assertThatThrownBy(() -> event.withHeaders(Map.of("outbox-encoding", "x")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () -> event.withHeaders(Map.of("k", "x".repeat(EventEnvelope.MAX_HEADER_BYTES))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("headers must be at most");
  }

  @Test
  void wellKnownHeadersHaveTheirNames() {
    EventEnvelope event =
        builder()
            .contentType("application/json")
            .schema("order-placed", "3")
            .topic("orders")
            .routingKey("customer-7")
            .correlationId("request-1")
            .causationId("command-1")
            .build();

    assertThat(event.headers())
        .isEqualTo(
            Map.of(
                "content-type", "application/json",
                "schema-id", "order-placed",
                "schema-version", "3",
                "topic", "orders",
                "routing-key", "customer-7",
                "correlation-id", "request-1",
                "causation-id", "command-1"));
    assertThat(event.header(EventHeaders.SCHEMA_VERSION)).isEqualTo("3");
  }

  @Test
  void wellKnownHeaderNeedsAValue() {
    assertThatThrownBy(() -> builder().topic(null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("topic must not be null");
    assertThatThrownBy(() -> builder().contentType(""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("content-type must be not empty, got: \"\"");
  }

  @Test
  void consequenceNamesItsCauseAndKeepsTheCorrelation() {
    EventEnvelope first = builder().build();

    EventEnvelope second = builder().causedBy(first).build();
    EventEnvelope third = builder().causedBy(second).build();

    assertThat(second.header(EventHeaders.CAUSATION_ID)).isEqualTo(first.eventId());
    assertThat(second.header(EventHeaders.CORRELATION_ID)).isEqualTo(first.eventId());
    assertThat(third.header(EventHeaders.CAUSATION_ID)).isEqualTo(second.eventId());
    assertThat(third.header(EventHeaders.CORRELATION_ID)).isEqualTo(first.eventId());
  }
}
