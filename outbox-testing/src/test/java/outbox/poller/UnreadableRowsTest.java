package outbox.poller;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.model.EventDetails;
import outbox.model.EventStatus;
import outbox.testing.Harness;
import outbox.testing.InMemoryOutboxStore;
import outbox.util.JsonCodec;

/** One row that can't be read is dealt with, and the rest of the batch goes on. */
class UnreadableRowsTest {

  private final List<String> taken = new CopyOnWriteArrayList<>();

  /** Writes nonsense for events that carry this header. */
  private static final class BreakingCodec implements JsonCodec {

    @Override
    public String toJson(Map<String, String> headers) {
      return headers.containsKey("break")
          ? headers.get("break")
          : JsonCodec.getDefault().toJson(headers);
    }

    @Override
    public Map<String, String> parseObject(String json) {
      return JsonCodec.getDefault().parseObject(json);
    }
  }

  private final InMemoryOutboxStore store =
      new InMemoryOutboxStore(Clock.systemUTC(), new BreakingCodec());

  private OutboxPoller.Builder poller() {
    return OutboxPoller.builder()
        .connectionProvider(store.connections())
        .outboxStore(store)
        .handler((event, attempts) -> taken.add(event.eventId()));
  }

  private EventEnvelope stored(Map<String, String> headers) {
    EventEnvelope event =
        EventEnvelope.builder("T").headers(headers).payloadJson("{\"card\":\"4111-1111\"}").build();
    store.insertNew(null, event);
    return event;
  }

  @Test
  void malformedRowIsDeadWhenPollReturnsAndTheBatchGoesOn() {
    EventEnvelope first = stored(Map.of());
    EventEnvelope malformed = stored(Map.of("break", "{not json"));
    EventEnvelope last = stored(Map.of());

    poller().build().poll();

    assertThat(taken).containsExactly(first.eventId(), last.eventId());
    EventDetails row = store.find(malformed.eventId()).orElseThrow();
    assertThat(row.status()).isEqualTo(EventStatus.DEAD);
    assertThat(row.lastError()).contains("position").doesNotContain("4111-1");
  }

  @Test
  void malformedRowIsDeadUnderClaimsToo() {
    EventEnvelope malformed = stored(Map.of("break", "[]"));

    poller().claimLocking("node-1", Duration.ofMinutes(5)).build().poll();

    EventDetails row = store.find(malformed.eventId()).orElseThrow();
    assertThat(row.status()).isEqualTo(EventStatus.DEAD);
    assertThat(row.lockedBy()).isNull();
  }

  @Test
  void reservedHeadersWithNonsenseAreMalformed() {
    List<EventEnvelope> malformed =
        List.of(
            stored(Map.of("break", "{\"outbox-occurred-at\":\"yesterday\"}")),
            stored(Map.of("break", "{\"outbox-encoding\":\"rot13\"}")),
            stored(Map.of("break", "{\"outbox-encoding\":\"base64\"}")));

    poller().build().poll();

    assertThat(taken).isEmpty();
    assertThat(malformed)
        .allSatisfy(
            event ->
                assertThat(store.find(event.eventId()).orElseThrow().status())
                    .isEqualTo(EventStatus.DEAD));
  }

  @Test
  void transientFaultOfACodecIsTriedAgainWhenDue() {
    EventEnvelope event = stored(Map.of("h", "v"));
    AtomicInteger faults = new AtomicInteger(2);
    JsonCodec flaky = flaky(faults);
    try (OutboxPoller poller =
        poller().jsonCodec(flaky).intervalMs(Harness.LONG.toMillis()).build()) {

      poller.start();

      Harness.eventually(() -> taken.contains(event.eventId()));
      assertThat(store.find(event.eventId()).orElseThrow().event().attempts()).isEqualTo(2);
    }
  }

  @Test
  void transientFaultIsARetryAndNotDeath() {
    EventEnvelope event = stored(Map.of("h", "v"));
    OutboxPoller poller = poller().jsonCodec(flaky(new AtomicInteger(1))).build();

    poller.poll();

    EventDetails row = store.find(event.eventId()).orElseThrow();
    assertThat(row.status()).isEqualTo(EventStatus.RETRY);
    assertThat(row.lastError()).contains("class loader");
    assertThat(row.availableAt()).isAfter(row.event().createdAt());
  }

  @Test
  void faultOfACodecIsNoReasonToDieAfterManyFailedDeliveries() {
    EventEnvelope event = stored(Map.of("h", "v"));
    for (int i = 0; i < 9; i++) {
      store.markRetry(null, event.eventId(), Clock.systemUTC().instant(), "e");
    }
    OutboxPoller poller = poller().jsonCodec(flaky(new AtomicInteger(1))).build();

    poller.poll();

    assertThat(store.find(event.eventId()).orElseThrow().status()).isEqualTo(EventStatus.RETRY);
  }

  @Test
  void codecThatNeverRecoversBuriesTheEventInTheEnd() {
    EventEnvelope event = stored(Map.of("h", "v"));
    for (int i = 0; i < 99; i++) {
      store.markRetry(null, event.eventId(), Clock.systemUTC().instant(), "e");
    }
    OutboxPoller poller = poller().jsonCodec(flaky(new AtomicInteger(1))).build();

    poller.poll();

    assertThat(store.find(event.eventId()).orElseThrow().status()).isEqualTo(EventStatus.DEAD);
  }

  @Test
  void errorOfACodecIsATransientFault() {
    EventEnvelope bad = stored(Map.of("h", "v"));
    EventEnvelope good = stored(Map.of());
    JsonCodec broken =
        new BreakingCodecWith(
            json -> {
              if (json != null) {
                throw new NoClassDefFoundError("com/example/Json");
              }
              return Map.of();
            });

    poller().jsonCodec(broken).build().poll();

    assertThat(taken).containsExactly(good.eventId());
    assertThat(store.find(bad.eventId()).orElseThrow().status()).isEqualTo(EventStatus.RETRY);
  }

  private interface Parser {
    Map<String, String> parse(String json);
  }

  private record BreakingCodecWith(Parser parser) implements JsonCodec {

    @Override
    public String toJson(Map<String, String> headers) {
      return JsonCodec.getDefault().toJson(headers);
    }

    @Override
    public Map<String, String> parseObject(String json) {
      return parser.parse(json);
    }
  }

  private static JsonCodec flaky(AtomicInteger faults) {
    return new BreakingCodecWith(
        json -> {
          if (faults.getAndDecrement() > 0) {
            throw new IllegalStateException("class loader is gone");
          }
          return JsonCodec.getDefault().parseObject(json);
        });
  }
}
