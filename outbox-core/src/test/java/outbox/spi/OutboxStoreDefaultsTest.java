package outbox.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.sql.Connection;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.EventListener;
import outbox.dispatch.InFlightTracker;
import outbox.dispatch.RetryPolicy;
import outbox.model.DeadFilter;
import outbox.model.DeadQuery;
import outbox.model.DiscardReason;
import outbox.model.OutboxEvent;
import outbox.poller.OutboxPollerHandler;
import outbox.registry.ListenerRegistry;
import outbox.util.JsonCodec;

/** What an implementation gets for the methods it must write, and how many those are. */
class OutboxStoreDefaultsTest {

  private static final Instant NOW = Instant.parse("2030-01-02T03:04:05Z");

  private final List<String> calls = new ArrayList<>();

  private final OutboxStore store =
      new OutboxStore() {
        @Override
        public void insertNew(Connection connection, EventEnvelope event) {
          calls.add("insert " + event.eventId());
        }

        @Override
        public int markDone(Connection connection, String eventId) {
          calls.add("done " + eventId);
          return 1;
        }

        @Override
        public int markRetry(Connection connection, String eventId, Instant nextAt, String error) {
          calls.add("retry " + eventId + " " + nextAt + " " + error);
          return 1;
        }

        @Override
        public int markDead(Connection connection, String eventId, String error) {
          calls.add("dead " + eventId + " " + error);
          return 1;
        }

        @Override
        public List<OutboxEvent> pollPending(
            Connection connection, Instant now, Duration skipRecent, int limit) {
          calls.add("poll " + now + " " + skipRecent + " " + limit);
          return List.of();
        }
      };

  @Test
  void batchIsInsertedOneByOne() {
    EventEnvelope first = EventEnvelope.ofJson("T", "{}");
    EventEnvelope second = EventEnvelope.ofJson("T", "{}");

    store.insertBatch(null, List.of(first, second));

    assertThat(calls).containsExactly("insert " + first.eventId(), "insert " + second.eventId());
  }

  @Test
  void claimFallsBackToAPoll() {
    store.claimPending(null, "node", NOW, NOW.minusSeconds(1), Duration.ofSeconds(2), 3);

    assertThat(calls).containsExactly("poll " + NOW + " PT2S 3");
  }

  @Test
  void claimedInsertIsDeclinedAndInsertsNothing() {
    Claim claim = Claim.starting("node", Clock.systemUTC(), Duration.ofMinutes(1));

    assertThat(store.insertClaimed(null, List.of(EventEnvelope.ofJson("T", "{}")), claim))
        .isFalse();

    assertThat(calls).isEmpty();
  }

  @Test
  void marksSettleWhatTheyCanSay() {
    List<Settlement> settlements =
        List.of(
            new Settlement("a", null, new Outcome.Delivered(false)),
            new Settlement("b", null, new Outcome.Retry(1, NOW, "no")),
            new Settlement("c", null, new Outcome.Dead(1, "never")),
            new Settlement("d", null, new Outcome.Released()));

    assertThat(store.settle(null, settlements)).isEqualTo(4);

    assertThat(calls).containsExactly("done a", "retry b " + NOW + " no", "dead c never");
  }

  @Test
  void whatMarksCanNotSayIsRefusedAndNotCountedAsATry() {
    Claim claim = Claim.starting("node", Clock.systemUTC(), Duration.ofMinutes(1));

    for (Outcome outcome :
        List.of(
            new Outcome.Deferred(0, NOW),
            new Outcome.Started(1),
            new Outcome.Kept(claim),
            new Outcome.Delivered(true))) {
      assertMissing(
          () -> store.settle(null, List.of(new Settlement("a", claim, outcome))), "settle");
    }

    assertThat(calls).isEmpty();
    assertThat(store.settlesExactly()).isFalse();
  }

  @Test
  void whatWouldSilentlyDoLessSaysThatItIsMissing() {
    assertMissing(
        () -> store.insertIfAbsent(null, EventEnvelope.ofJson("T", "{}"), null), "insertIfAbsent");
    assertMissing(() -> store.releaseClaims(null, "node", List.of("id")), "releaseClaims");
    assertMissing(() -> store.find(null, "id"), "find");
    assertMissing(() -> store.queryDead(null, null, null, 1), "queryDead");
    assertMissing(() -> store.replayDead(null, "id"), "replayDead");
    assertMissing(() -> store.countDead(null, null), "countDead");
    DeadQuery page = DeadQuery.of(DeadFilter.all());
    assertMissing(() -> store.queryDead(null, page), "queryDead");
    assertMissing(() -> store.countDead(null, DeadFilter.all(), 1), "countDead");
    assertMissing(() -> store.replayDead(null, page), "replayDead");
    assertMissing(() -> store.discardDead(null, page, new DiscardReason("r")), "discardDead");
  }

  @Test
  void interfacesForUsersAskForNoMoreThanWasPromised() {
    assertThat(abstractMethods(OutboxStore.class)).isEqualTo(5);
    assertThat(abstractMethods(MetricsExporter.class)).isEqualTo(8);
    assertThat(abstractMethods(TxContext.class)).isEqualTo(4);
    assertThat(abstractMethods(InFlightTracker.class)).isEqualTo(2);
    assertThat(abstractMethods(JsonCodec.class)).isEqualTo(2);
    assertThat(abstractMethods(ListenerRegistry.class)).isEqualTo(1);
    assertThat(abstractMethods(RetryPolicy.class)).isEqualTo(1);
    assertThat(abstractMethods(ConnectionProvider.class)).isEqualTo(1);
    assertThat(abstractMethods(EventListener.class)).isEqualTo(1);
    assertThat(abstractMethods(OutboxPollerHandler.class)).isEqualTo(1);
    assertThat(abstractMethods(EventPurger.class)).isEqualTo(1);
  }

  private static void assertMissing(Runnable call, String method) {
    assertThatThrownBy(call::run)
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining(method);
  }

  private static long abstractMethods(Class<?> type) {
    return Arrays.stream(type.getMethods())
        .map(Method::getModifiers)
        .filter(Modifier::isAbstract)
        .count();
  }
}
