package outbox.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import outbox.AggregateType;
import outbox.EventEnvelope;
import outbox.model.EventDetails;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.spi.Claim;
import outbox.spi.EventRow;
import outbox.util.JsonCodec;

/** What an insert writes, and that the same comes back. */
abstract class StoreInsertContract {

  /** The store under test and how to reach its table; asked for once per test. */
  protected abstract StoreFixture fixture();

  @SuppressWarnings("NullAway.Init")
  StoreSession session;

  @BeforeEach
  void emptyTheTable() throws Exception {
    StoreFixture fixture = fixture();
    fixture.cleanup().run();
    session = new StoreSession(fixture);
  }

  @Test
  void insertedEventIsNewUnlockedAndDueAtOnce() {
    EventEnvelope event = EventEnvelope.ofJson("OrderPlaced", "{\"id\":1}");

    session.insert(event);

    EventDetails row = session.row(event);
    assertThat(row.status()).isEqualTo(EventStatus.NEW);
    assertThat(row.event().attempts()).isZero();
    assertThat(row.event().createdAt())
        .isCloseTo(StoreSession.now(), within(StoreSession.SLACK.toMillis(), ChronoUnit.MILLIS));
    assertThat(row.availableAt()).isEqualTo(row.event().createdAt());
    assertThat(row.doneAt()).isNull();
    assertThat(row.lastError()).isNull();
    assertThat(row.lockedBy()).isNull();
    assertThat(row.lockedAt()).isNull();
  }

  @Test
  void everyColumnComesBackAsItWasWritten() {
    EventEnvelope event =
        EventEnvelope.builder("OrderPlaced")
            .eventId("order-1-placed")
            .aggregateType("Order")
            .aggregateId("order-1")
            .tenantId("tenant-7")
            .payloadJson("{\"total\" : 99.50,  \"b\":1, \"a\":2}")
            .build();

    session.insert(event);

    OutboxEvent row = session.row(event).event();
    assertThat(row.eventId()).isEqualTo("order-1-placed");
    assertThat(row.eventType()).isEqualTo("OrderPlaced");
    assertThat(row.aggregateType()).isEqualTo("Order");
    assertThat(row.aggregateId()).isEqualTo("order-1");
    assertThat(row.tenantId()).isEqualTo("tenant-7");
    assertThat(row.payloadJson()).isEqualTo("{\"total\" : 99.50,  \"b\":1, \"a\":2}");
    assertThat(session.poll(1)).containsExactly(row);
  }

  @Test
  void optionalColumnsMayBeMissing() {
    EventEnvelope event = session.insert("OrderPlaced");

    OutboxEvent row = session.row(event).event();

    assertThat(row.aggregateType()).isEqualTo(AggregateType.GLOBAL.name());
    assertThat(row.aggregateId()).isNull();
    assertThat(row.tenantId()).isNull();
    assertThat(decode(row).headers()).isEmpty();
  }

  @Test
  void longestValuesFit() {
    EventEnvelope event =
        EventEnvelope.builder("t".repeat(128))
            .eventId("i".repeat(36))
            .aggregateType("a".repeat(64))
            .aggregateId("é".repeat(128))
            .tenantId("租".repeat(64))
            .payloadJson('"' + "x".repeat(EventEnvelope.MAX_PAYLOAD_BYTES - 2) + '"')
            .build();

    session.insert(event);

    assertSame(event, decode(session.row(event).event()));
  }

  @Test
  void unicodeTextSurvives() {
    String payload = "{\"text\":\"Grüße, 你好, \uD83D\uDE80\\n\\u0000 \\\\ \\\"\"}";
    EventEnvelope event = EventEnvelope.ofJson("Ünïcode-事件", payload);

    session.insert(event);

    assertSame(event, decode(session.row(event).event()));
  }

  @Test
  void headersComeBackWithNullsUnicodeAndControlCharacters() {
    Map<String, @Nullable String> headers = new LinkedHashMap<>();
    headers.put("trace", "00-4bf92f-01");
    headers.put("none", null);
    headers.put("", "");
    headers.put("名前 \"quoted\" \\", "\uD83D\uDE80 \n\r\t\b\f\u0001 / \u2028");
    EventEnvelope event = EventEnvelope.builder("T").headers(headers).payloadJson("{}").build();

    session.insert(event);

    assertThat(decode(session.row(event).event()).headers()).isEqualTo(headers);
  }

  @Test
  void binaryPayloadComesBackByteForByte() {
    byte[] everyByte = new byte[256];
    IntStream.range(0, 256).forEach(i -> everyByte[i] = (byte) i);
    List<byte[]> payloads =
        List.of(
            everyByte,
            new byte[0],
            "not json".getBytes(StandardCharsets.UTF_8),
            " { \"json\" : 1 } ".getBytes(StandardCharsets.UTF_8),
            "\"\uD83D\uDE80\"".getBytes(StandardCharsets.UTF_8),
            new byte[EventEnvelope.MAX_PAYLOAD_BYTES]);

    List<EventEnvelope> events =
        payloads.stream().map(p -> EventEnvelope.builder("B").payloadBytes(p).build()).toList();
    events.forEach(session::insert);

    for (int i = 0; i < payloads.size(); i++) {
      EventEnvelope delivered = decode(session.row(events.get(i)).event());
      assertThat(delivered.payloadBytes()).isEqualTo(payloads.get(i));
      assertThat(delivered.headers()).isEmpty();
    }
  }

  @Test
  void timeOfOccurrenceComesBackToTheNanosecond() {
    List<Instant> times =
        List.of(
            StoreSession.now(),
            Instant.parse("1999-12-31T23:59:59.999999999Z"),
            Instant.parse("2999-01-01T00:00:00.000000001Z"),
            StoreSession.now().plusNanos(1),
            Instant.parse("2024-03-31T02:30:00Z"));

    List<EventEnvelope> events =
        times.stream()
            .map(t -> EventEnvelope.builder("T").occurredAt(t).payloadJson("{}").build())
            .toList();
    events.forEach(session::insert);

    for (int i = 0; i < times.size(); i++) {
      assertThat(decode(session.row(events.get(i)).event()).occurredAt()).isEqualTo(times.get(i));
    }
  }

  @Test
  void timeOfOccurrenceChangesNeitherPollingNorOrder() {
    EventEnvelope first = session.insert(occurredAt(Instant.parse("2999-01-01T00:00:00Z")));
    EventEnvelope second = session.insert(occurredAt(Instant.parse("1999-01-01T00:00:00Z")));

    List<OutboxEvent> polled = session.poll(10);

    assertThat(StoreSession.ids(polled)).containsExactly(first.eventId(), second.eventId());
    assertThat(session.poll(StoreSession.now().minus(StoreSession.SLACK), Duration.ZERO, 10))
        .isEmpty();
  }

  @Test
  void takenIdIsRefusedAndTheFirstEventStays() {
    EventEnvelope first =
        session.insert(EventEnvelope.builder("First").eventId("same").payloadJson("1").build());
    EventEnvelope second = EventEnvelope.builder("Second").eventId("same").payloadJson("2").build();

    assertThatThrownBy(() -> session.insert(second)).isInstanceOf(RuntimeException.class);

    assertThat(session.row(first).event().eventType()).isEqualTo("First");
    assertThat(session.poll(10)).hasSize(1);
  }

  @Test
  void batchIsInsertedCompletelyAndInOrder() {
    List<EventEnvelope> events =
        IntStream.range(0, 1200)
            .mapToObj(i -> EventEnvelope.ofJson("Batch", "{\"n\":" + i + "}"))
            .toList();

    session.insertAll(events);

    List<OutboxEvent> rows = session.poll(2000);
    assertThat(StoreSession.ids(rows))
        .isEqualTo(events.stream().map(EventEnvelope::eventId).toList());
    assertThat(rows).extracting(OutboxEvent::payloadJson).startsWith("{\"n\":0}", "{\"n\":1}");
  }

  @Test
  void batchOfMixedEventsKeepsEachOnesColumns() {
    EventEnvelope bare = EventEnvelope.ofJson("Bare", "[]");
    EventEnvelope full =
        EventEnvelope.builder("Full")
            .aggregateType("Order")
            .aggregateId("1")
            .tenantId("t")
            .headers(Map.of("h", "v"))
            .payloadBytes(new byte[] {-1})
            .build();

    session.insertAll(List.of(bare, full));

    assertSame(bare, decode(session.row(bare).event()));
    assertSame(full, decode(session.row(full).event()));
  }

  @Test
  void emptyBatchInsertsNothing() {
    session.insertAll(List.of());

    assertThat(session.poll(10)).isEmpty();
  }

  @Test
  void insertTakesPartInTheTransaction() {
    EventEnvelope single = EventEnvelope.ofJson("T", "{}");
    EventEnvelope batched = EventEnvelope.ofJson("T", "{}");
    EventEnvelope claimed = EventEnvelope.ofJson("T", "{}");
    Claim claim = Claim.starting("node-1", Clock.systemUTC(), Duration.ofMinutes(5));

    session.inTransaction(
        connection -> {
          session.store().insertNew(connection, single);
          session.store().insertBatch(connection, List.of(batched));
          session.store().insertClaimed(connection, List.of(claimed), claim);
          assertThat(session.store().find(connection, single.eventId())).isPresent();
          assertThat(connection.isClosed()).isFalse();
          connection.rollback();
          return connection;
        });

    assertThat(session.find(single)).isEmpty();
    assertThat(session.find(batched)).isEmpty();
    assertThat(session.find(claimed)).isEmpty();
  }

  @Test
  void uncommittedInsertIsInvisibleToOthers() {
    EventEnvelope event = EventEnvelope.ofJson("T", "{}");

    session.inTransaction(
        connection -> {
          session.store().insertNew(connection, event);
          assertThat(session.find(event)).isEmpty();
          assertThat(session.poll(10)).isEmpty();
          connection.commit();
          return connection;
        });

    assertThat(session.find(event)).isPresent();
  }

  static EventEnvelope decode(OutboxEvent row) {
    return EventRow.decode(row, JsonCodec.getDefault());
  }

  static EventEnvelope occurredAt(Instant time) {
    return EventEnvelope.builder("T").occurredAt(time).payloadJson("{}").build();
  }

  private static void assertSame(EventEnvelope expected, EventEnvelope actual) {
    assertThat(actual)
        .usingRecursiveComparison()
        .ignoringFields("text", "bytes")
        .isEqualTo(expected);
    assertThat(actual.payloadBytes()).isEqualTo(expected.payloadBytes());
  }
}
