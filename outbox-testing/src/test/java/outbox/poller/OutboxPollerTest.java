package outbox.poller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.model.OutboxEvent;
import outbox.spi.Claim;
import outbox.spi.Fetched;
import outbox.spi.OutboxStore;
import outbox.testing.DelegatingStore;
import outbox.testing.InMemoryOutboxStore;
import outbox.testing.MutableClock;
import outbox.testing.RecordingMetrics;

class OutboxPollerTest {

  private static final Instant NOW = Instant.parse("2030-01-02T03:04:05Z");

  private final MutableClock clock = new MutableClock(NOW);
  private final InMemoryOutboxStore store = new InMemoryOutboxStore(clock);
  private final RecordingMetrics metrics = new RecordingMetrics();
  private final TakingHandler handler = new TakingHandler();
  private final List<OutboxPoller> pollers = new ArrayList<>();

  /** Takes as many events as it was told to. */
  private static final class TakingHandler implements OutboxPollerHandler {

    private final List<EventEnvelope> taken = new ArrayList<>();
    private final List<Integer> attempts = new ArrayList<>();
    private final List<Claim> claims = new ArrayList<>();
    private int capacity = Integer.MAX_VALUE;
    private int takes = Integer.MAX_VALUE;

    @Override
    public boolean handle(EventEnvelope event, int attempts) {
      if (taken.size() >= takes) {
        return false;
      }
      taken.add(event);
      this.attempts.add(attempts);
      return true;
    }

    @Override
    public boolean handle(EventEnvelope event, Fetched fetched, Claim claim) {
      claims.add(claim);
      return OutboxPollerHandler.super.handle(event, fetched, claim);
    }

    @Override
    public int availableCapacity() {
      return capacity;
    }

    List<String> ids() {
      return taken.stream().map(EventEnvelope::eventId).toList();
    }
  }

  @AfterEach
  void close() {
    pollers.forEach(OutboxPoller::close);
  }

  private OutboxPoller.Builder builder(OutboxStore on) {
    return OutboxPoller.builder()
        .connectionProvider(store.connections())
        .outboxStore(on)
        .handler(handler)
        .metrics(metrics)
        .clock(clock);
  }

  private OutboxPoller build(OutboxPoller.Builder builder) {
    OutboxPoller poller = builder.build();
    pollers.add(poller);
    return poller;
  }

  private List<EventEnvelope> stored(int count) {
    List<EventEnvelope> events = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      EventEnvelope event =
          EventEnvelope.builder("T").occurredAt(clock.instant()).payloadJson("{}").build();
      store.insertNew(null, event);
      events.add(event);
    }
    return events;
  }

  @Test
  void pollHandsOverTheOldestEventsFirstUpToTheBatchSize() {
    List<EventEnvelope> events = stored(5);
    OutboxPoller poller = build(builder(store).batchSize(3));

    poller.poll();

    assertThat(handler.ids())
        .isEqualTo(events.subList(0, 3).stream().map(EventEnvelope::eventId).toList());
  }

  @Test
  void eventIsHandedOverAsItWasWritten() {
    EventEnvelope event =
        EventEnvelope.builder("T")
            .aggregateType("Order")
            .aggregateId("1")
            .tenantId("t")
            .headers(java.util.Map.of("h", "v"))
            .payloadBytes(new byte[] {-1, 0, 1})
            .build();
    store.insertNew(null, event);
    clock.advance(Duration.ofDays(3650));

    build(builder(store)).poll();

    assertThat(handler.taken).singleElement().usingRecursiveComparison().isEqualTo(event);
  }

  @Test
  void attemptsAreHandedOverToo() {
    EventEnvelope event = stored(1).get(0);
    store.markRetry(null, event.eventId(), NOW, "e");
    store.markRetry(null, event.eventId(), NOW, "e");

    build(builder(store)).poll();

    assertThat(handler.attempts).containsExactly(2);
  }

  @Test
  void everyCallOfPollOffersWhatIsPending() {
    stored(2);
    OutboxPoller poller = build(builder(store));

    poller.poll();
    poller.poll();

    assertThat(handler.taken).hasSize(4);
  }

  @Test
  void handlerWithoutRoomIsNotEvenPolledFor() {
    stored(1);
    handler.capacity = 0;
    OutboxPoller poller =
        build(
            builder(store)
                .connectionProvider(
                    () -> {
                      throw new SQLException("must not be asked");
                    }));

    poller.poll();

    assertThat(handler.taken).isEmpty();
    assertThat(metrics.oldestLagMs()).isEqualTo(RecordingMetrics.NO_LAG);
  }

  @Test
  void noMoreIsClaimedThanThereIsRoomFor() {
    List<EventEnvelope> events = stored(5);
    handler.capacity = 2;

    build(builder(store).claimLocking("node-1", Duration.ofMinutes(5))).poll();

    assertThat(handler.taken).hasSize(2);
    assertThat(lockedBy(events.get(1))).isEqualTo("node-1");
    assertThat(lockedBy(events.get(2))).isNull();
  }

  @Test
  void refusalEndsThePollAndGivesTheRestBack() {
    List<EventEnvelope> events = stored(5);
    handler.takes = 2;

    build(builder(store).claimLocking("node-1", Duration.ofMinutes(5))).poll();

    assertThat(handler.taken).hasSize(2);
    assertThat(handler.claims).hasSize(3);
    assertThat(lockedBy(events.get(1))).isEqualTo("node-1");
    assertThat(events.subList(2, 5)).allSatisfy(e -> assertThat(lockedBy(e)).isNull());
  }

  @Test
  void throwingHandlerCountsAsRefusal() {
    List<EventEnvelope> events = stored(2);
    OutboxPoller poller =
        build(
            builder(store)
                .claimLocking("node-1", Duration.ofMinutes(5))
                .handler(
                    (event, attempts) -> {
                      throw new IllegalStateException("broken");
                    }));

    poller.poll();

    assertThat(events).allSatisfy(e -> assertThat(lockedBy(e)).isNull());
  }

  @Test
  void storeThatCannotReleaseIsNoReasonToFail() {
    stored(2);
    handler.takes = 1;
    OutboxStore plain =
        new DelegatingStore(store) {
          @Override
          public int releaseClaims(
              Connection connection, String owner, java.util.Collection<String> ids) {
            throw new UnsupportedOperationException();
          }
        };

    build(builder(plain).claimLocking("node-1", Duration.ofMinutes(5))).poll();

    assertThat(handler.taken).hasSize(1);
  }

  @Test
  void claimCarriesOwnerAndTime() {
    EventEnvelope event = stored(1).get(0);

    build(builder(store).claimLocking("node-1", Duration.ofMinutes(5))).poll();

    assertThat(handler.claims).singleElement().extracting(Claim::ownerId).isEqualTo("node-1");
    assertThat(handler.claims.get(0).isExpired()).isFalse();
    assertThat(store.find(event.eventId()).orElseThrow().lockedAt()).isEqualTo(NOW);
  }

  @Test
  void ownerMakesItselfANameWithinTheColumn() {
    EventEnvelope event = stored(1).get(0);

    build(builder(store).claimLocking(Duration.ofMinutes(5))).poll();

    assertThat(lockedBy(event)).isNotBlank().hasSizeLessThanOrEqualTo(128);
  }

  @Test
  void expiredClaimOfAnotherNodeIsTakenOver() {
    EventEnvelope event = stored(1).get(0);
    build(builder(store).claimLocking("node-1", Duration.ofMinutes(5))).poll();
    OutboxPoller other = build(builder(store).claimLocking("node-2", Duration.ofMinutes(5)));

    clock.advance(Duration.ofMinutes(5));
    other.poll();
    assertThat(lockedBy(event)).isEqualTo("node-1");

    clock.advance(Duration.ofNanos(1000));
    other.poll();
    assertThat(lockedBy(event)).isEqualTo("node-2");
  }

  @Test
  void recentEventsAreSkippedWhenAsked() {
    stored(1);
    OutboxPoller poller = build(builder(store).skipRecent(Duration.ofSeconds(10)));

    poller.poll();
    assertThat(handler.taken).isEmpty();

    clock.advance(Duration.ofSeconds(10));
    poller.poll();
    assertThat(handler.taken).hasSize(1);
  }

  @Test
  void lagIsTheAgeOfTheOldestPendingEvent() {
    stored(1);
    clock.advance(Duration.ofSeconds(7));
    stored(1);
    OutboxPoller poller = build(builder(store));

    poller.poll();
    assertThat(metrics.oldestLagMs()).isEqualTo(7000);

    handler.ids().forEach(id -> store.markDone(null, id));
    poller.poll();
    assertThat(metrics.oldestLagMs()).isZero();
  }

  @Test
  void failedFetchIsNotAnEmptyOne() {
    stored(1);
    clock.advance(Duration.ofSeconds(7));
    OutboxStore broken =
        new DelegatingStore(store) {
          @Override
          public List<OutboxEvent> pollPending(
              Connection connection, Instant now, Duration skipRecent, int limit) {
            throw new IllegalStateException("database is down");
          }
        };

    build(builder(broken)).poll();
    build(
            builder(store)
                .connectionProvider(
                    () -> {
                      throw new SQLException("database is down");
                    }))
        .poll();

    assertThat(metrics.oldestLagMs()).isEqualTo(RecordingMetrics.NO_LAG);
  }

  @Test
  void closedPollerStillPollsByHand() {
    stored(1);
    OutboxPoller poller = build(builder(store));
    poller.close();

    poller.poll();

    assertThat(handler.taken).hasSize(1);
  }

  @Test
  void requiredPartsAreAskedFor() {
    assertThatThrownBy(() -> OutboxPoller.builder().build())
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("connectionProvider");
    assertThatThrownBy(() -> builder(null).build())
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("outboxStore");
    assertThatThrownBy(() -> builder(store).handler(null).build())
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("handler");
  }

  @Test
  void impossibleSettingsAreRefused() {
    assertThatThrownBy(() -> builder(store).batchSize(0).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("batchSize");
    assertThatThrownBy(() -> builder(store).intervalMs(0).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("interval");
    assertThatThrownBy(() -> builder(store).skipRecent(Duration.ofMillis(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("skipRecent");
  }

  @Test
  void claimLockingItselfRefusesWhatCannotWork() {
    OutboxPoller.Builder builder = builder(store);

    assertThatThrownBy(() -> builder.claimLocking(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> builder.claimLocking("node-1", Duration.ofMillis(-1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> builder.claimLocking(Duration.ofSeconds(Long.MAX_VALUE)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("lock timeout");
    assertThatThrownBy(() -> builder.claimLocking("", Duration.ofMinutes(1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> builder.claimLocking(null, Duration.ofMinutes(1)))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> builder.claimLocking("o".repeat(129), Duration.ofMinutes(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("128");
  }

  private String lockedBy(EventEnvelope event) {
    return store.find(event.eventId()).orElseThrow().lockedBy();
  }
}
