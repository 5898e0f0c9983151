package outbox.destination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.EventHeaders;
import outbox.NonRetryableException;

class CopyTest {

  private final EventEnvelope event =
      EventEnvelope.builder("OrderPlaced")
          .eventId("01J0000000ABCDEFGHJKMNPQRS")
          .occurredAt(Instant.parse("2030-01-31T12:00:00Z"))
          .aggregateType("Order")
          .aggregateId("order-42")
          .tenantId("acme")
          .header("region", "eu")
          .header("nothing", null)
          .payloadJson("{\"total\": 1.0}")
          .build();

  @Test
  void theOriginalComesBackFromACopy() {
    assertSame(Copy.original(Copy.of(event, "kafka")), event);
    EventEnvelope binary =
        EventEnvelope.builder("Blob").payloadBytes(new byte[] {0, -1, 1}).build();
    assertSame(Copy.original(Copy.of(binary, "kafka")), binary);
  }

  @Test
  void theSameCopyIsMadeEveryTimeAndAnotherOneForEachDestination() {
    assertThat(Copy.of(event, "kafka").eventId())
        .isEqualTo(Copy.of(event, "kafka").eventId())
        .isNotEqualTo(Copy.of(event, "rabbit").eventId())
        .startsWith("01J0000000-")
        .hasSizeLessThanOrEqualTo(36);
  }

  @Test
  void idsOfAnyShapeFit() {
    assertThat(Copy.id("x".repeat(36), "d".repeat(32))).hasSizeLessThanOrEqualTo(36);
    assertThat(Copy.id("é🙂", "kafka"))
        .hasSizeLessThanOrEqualTo(36)
        .isNotEqualTo(Copy.id("é", "kafka"));
    assertThat(Copy.id("1", "kafka")).isNotEqualTo(Copy.id("2", "kafka"));
  }

  @Test
  void eachDestinationHasAKeyOfItsOwnHoweverLongTheAggregateType() {
    String longType = "A".repeat(64);

    assertThat(Copy.of(event, "kafka").aggregateType()).isEqualTo("Order@kafka");
    assertThat(Copy.of(event, "kafka").aggregateId()).isEqualTo("order-42");
    assertThat(Copy.aggregateType(longType, "k".repeat(32)))
        .hasSizeLessThanOrEqualTo(64)
        .isNotEqualTo(Copy.aggregateType("A".repeat(63) + "B", "k".repeat(32)))
        .isNotEqualTo(Copy.aggregateType(longType, "r".repeat(32)));
  }

  @Test
  void whatTheOutboxAddedToTheEventIsNotCopiedAndWhatItAddsToTheCopyStays() {
    EventEnvelope delivered =
        event.withHeaders(Map.of(EventHeaders.SEQUENCE, "7", EventHeaders.EPOCH, "1"));

    EventEnvelope copy = Copy.of(delivered, "kafka");
    EventEnvelope original = Copy.original(copy.withHeaders(Map.of(EventHeaders.SEQUENCE, "9")));

    assertThat(copy.headers()).doesNotContainKeys(EventHeaders.SEQUENCE, EventHeaders.EPOCH);
    assertThat(original.header(EventHeaders.SEQUENCE)).isEqualTo("9");
  }

  @Test
  void whatOnlyLooksLikeACopyIsBuried() {
    EventEnvelope forged = EventEnvelope.ofJson("outbox-to:kafka", "{}");

    assertThatThrownBy(() -> Copy.original(forged))
        .isInstanceOf(NonRetryableException.class)
        .hasMessageContaining("was not written by a fan-out");
  }

  private static void assertSame(EventEnvelope actual, EventEnvelope expected) {
    assertThat(actual.eventId()).isEqualTo(expected.eventId());
    assertThat(actual.eventType()).isEqualTo(expected.eventType());
    assertThat(actual.aggregateType()).isEqualTo(expected.aggregateType());
    assertThat(actual.aggregateId()).isEqualTo(expected.aggregateId());
    assertThat(actual.tenantId()).isEqualTo(expected.tenantId());
    assertThat(actual.occurredAt()).isEqualTo(expected.occurredAt());
    assertThat(actual.headers()).isEqualTo(expected.headers());
    assertThat(actual.isBinary()).isEqualTo(expected.isBinary());
    assertThat(actual.payloadBytes()).isEqualTo(expected.payloadBytes());
  }
}
