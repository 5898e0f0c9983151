package outbox.jackson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.EventHeaders;
import outbox.NonRetryableException;
import outbox.OutboxException;
import outbox.OutboxWriter;
import outbox.testing.InMemoryOutboxStore;
import outbox.testing.StubTxContext;

class JacksonPayloadsTest {

  private static final Order ORDER = new Order(42, Instant.parse("2026-02-03T04:05:06Z"));

  private final JacksonPayloads payloads = new JacksonPayloads();

  record Order(int id, Instant placed) {}

  /** What Jackson finds nothing to write of. */
  private static final class Secretive {

    @Override
    public String toString() {
      return "s3cret";
    }
  }

  @Test
  void objectIsWrittenWithTimesAsText() {
    EventEnvelope event = payloads.event("OrderPlaced", ORDER).aggregateId("42").build();

    assertThat(event.payloadJson()).isEqualTo("{\"id\":42,\"placed\":\"2026-02-03T04:05:06Z\"}");
    assertThat(event.header(EventHeaders.CONTENT_TYPE)).isEqualTo("application/json");
    assertThat(event.aggregateId()).isEqualTo("42");
  }

  @Test
  void whatIsWrittenIsReadFromTheTable() {
    InMemoryOutboxStore store = new InMemoryOutboxStore();
    StubTxContext tx = new StubTxContext(store.connections());
    OutboxWriter writer = new OutboxWriter(tx, store);

    tx.inTransaction(() -> writer.writeAll(List.of(payloads.event("OrderPlaced", ORDER).build())));

    String stored =
        store
            .pollPending(null, Instant.parse("9999-01-01T00:00:00Z"), Duration.ZERO, 1)
            .get(0)
            .payloadJson();
    assertThat(payloads.read(EventEnvelope.ofJson("OrderPlaced", stored), Order.class))
        .isEqualTo(ORDER);
  }

  @Test
  void propertiesThatANewerWriterAddsAreIgnored() {
    EventEnvelope newer =
        EventEnvelope.ofJson("OrderPlaced", "{\"id\":7,\"placed\":null,\"gift\":true}");

    assertThat(payloads.read(newer, Order.class)).isEqualTo(new Order(7, null));
  }

  @Test
  void mapperOfTheApplicationDecides() {
    JacksonPayloads strict = new JacksonPayloads(JsonMapper.builder().build());

    assertThatThrownBy(
            () -> strict.read(EventEnvelope.ofJson("OrderPlaced", "{\"gift\":true}"), Order.class))
        .isInstanceOf(NonRetryableException.class);
  }

  @Test
  void whatCannotBeReadIsNeverTriedAgainAndTheMessageTellsNothingOfThePayload() {
    EventEnvelope event =
        EventEnvelope.builder("OrderPlaced")
            .eventId("e-1")
            .payloadJson("{\"id\":\"s3cret\"}")
            .build();

    assertThatThrownBy(() -> payloads.read(event, Order.class))
        .isInstanceOf(NonRetryableException.class)
        .hasMessageContainingAll("e-1", "OrderPlaced", Order.class.getName(), "replay")
        .hasMessageNotContaining("s3cret")
        .hasNoCause();
  }

  @Test
  void bytesAreNotReadAsJson() {
    EventEnvelope event =
        EventEnvelope.builder("OrderPlaced").payloadBytes(new byte[] {1, 2, (byte) 0xff}).build();

    assertThatThrownBy(() -> payloads.read(event, Order.class))
        .isInstanceOf(NonRetryableException.class)
        .hasMessageContaining("bytes");
  }

  @Test
  void whatCannotBeWrittenIsRefusedWithItsClassAlone() {
    assertThatThrownBy(() -> payloads.event("OrderPlaced", new Secretive()))
        .isInstanceOf(OutboxException.class)
        .hasMessageContaining(Secretive.class.getName())
        .hasMessageNotContaining("s3cret");
  }
}
