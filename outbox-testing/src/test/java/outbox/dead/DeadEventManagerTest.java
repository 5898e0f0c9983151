package outbox.dead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.EventEnvelope;
import outbox.OutboxException;
import outbox.model.DeadFilter;
import outbox.model.DeadQuery;
import outbox.model.EventDetails;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.spi.OutboxStore;
import outbox.testing.InMemoryOutboxStore;

@Timeout(120)
class DeadEventManagerTest {

  private final InMemoryOutboxStore store = new InMemoryOutboxStore();
  private final DeadEventManager manager = new DeadEventManager(store.connections(), store);

  private EventEnvelope dead(String eventType, String aggregateType) {
    EventEnvelope event =
        EventEnvelope.builder(eventType).aggregateType(aggregateType).payloadJson("{}").build();
    store.insertNew(null, event);
    store.markDead(null, event.eventId(), "no use");
    return event;
  }

  private List<EventEnvelope> dead(int count) {
    return IntStream.range(0, count).mapToObj(i -> dead("T", "Order")).toList();
  }

  private static List<String> ids(List<OutboxEvent> rows) {
    return rows.stream().map(OutboxEvent::eventId).toList();
  }

  @Test
  void deadEventsAreQueriedAndCountedByType() {
    EventEnvelope a = dead("A", "Order");
    EventEnvelope b = dead("B", "Order");
    EventEnvelope c = dead("A", "User");

    assertThat(ids(manager.query(null, null, 10)))
        .containsExactly(a.eventId(), b.eventId(), c.eventId());
    assertThat(ids(manager.query("A", "User", 10))).containsExactly(c.eventId());
    assertThat(manager.query(null, null, 2)).hasSize(2);
    assertThat(manager.count(null)).isEqualTo(3);
    assertThat(manager.count("A")).isEqualTo(2);
  }

  @Test
  void operatorSeesWhyAnEventDied() {
    EventEnvelope event = dead("T", "Order");

    EventDetails details = manager.find(event.eventId()).orElseThrow();

    assertThat(details.status()).isEqualTo(EventStatus.DEAD);
    assertThat(details.lastError()).isEqualTo("no use");
    assertThat(details.event().attempts()).isEqualTo(1);
    assertThat(manager.find("unknown")).isEmpty();
  }

  @Test
  void replayMakesADeadEventNew() {
    EventEnvelope event = dead("T", "Order");

    assertThat(manager.replay(event.eventId())).isTrue();
    assertThat(manager.replay(event.eventId())).isFalse();
    assertThat(manager.replay("unknown")).isFalse();

    assertThat(store.count(EventStatus.NEW)).isEqualTo(1);
  }

  @Test
  void replayIsCommittedOnConnectionsWithoutAutoCommit() {
    EventEnvelope event = dead("T", "Order");
    DeadEventManager manual =
        new DeadEventManager(
            () -> {
              Connection connection = store.connections().getConnection();
              connection.setAutoCommit(false);
              return connection;
            },
            store);

    assertThat(manual.replay(event.eventId())).isTrue();
    assertThat(store.count(EventStatus.NEW)).isEqualTo(1);

    store.markDead(null, event.eventId(), "again");
    assertThat(manual.replayAll(null, null, 10)).isEqualTo(1);
    assertThat(store.count(EventStatus.NEW)).isEqualTo(1);
  }

  @Test
  void allMatchingEventsAreReplayedInBatches() {
    dead(25);
    EventEnvelope other = dead("Other", "Order");

    int replayed = manager.replayAll("T", "Order", 10);

    assertThat(replayed).isEqualTo(25);
    assertThat(store.count(EventStatus.NEW)).isEqualTo(25);
    assertThat(ids(manager.query(null, null, 10))).containsExactly(other.eventId());
    assertThat(manager.replayAll("T", null, 10)).isZero();
  }

  @Test
  void batchSizeMustBePositive() {
    assertThatThrownBy(() -> manager.replayAll(null, null, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("batchSize");
    assertThatThrownBy(() -> manager.replayAll(null, null, -1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void eventsThatDieAgainAreReplayedOnce() {
    List<EventEnvelope> events = dead(25);
    AtomicInteger replays = new AtomicInteger();
    OutboxStore deadly =
        new SpecifiedStore(store) {
          @Override
          public int replayDead(Connection connection, String eventId) {
            replays.incrementAndGet();
            int replayed = super.replayDead(connection, eventId);
            markDead(connection, eventId, "again");
            return replayed;
          }
        };

    int replayed = new DeadEventManager(store.connections(), deadly).replayAll(null, null, 4);

    assertThat(replayed).isEqualTo(25);
    assertThat(replays).hasValue(25);
    assertThat(events).allSatisfy(e -> assertThat(status(e)).isEqualTo(EventStatus.DEAD));
  }

  @Test
  void eventsThatDieMeanwhileDoNotKeepTheReplayGoing() {
    dead(10);
    OutboxStore busy =
        new SpecifiedStore(store) {
          @Override
          public int replayDead(Connection connection, String eventId) {
            dead("T", "Order");
            return super.replayDead(connection, eventId);
          }
        };

    int replayed = new DeadEventManager(store.connections(), busy).replayAll(null, null, 2);

    assertThat(replayed).isBetween(10, 20);
  }

  @Test
  void failingDatabaseIsAnsweredWithNothing() {
    DeadEventManager unconnected =
        new DeadEventManager(
            () -> {
              throw new SQLException("connection refused");
            },
            store);

    assertThat(unconnected.query(null, null, 10)).isEmpty();
    assertThat(unconnected.replay("id")).isFalse();
    assertThat(unconnected.replayAll(null, null, 10)).isZero();
    assertThat(unconnected.count(null)).isZero();
    assertThat(unconnected.find("id")).isEmpty();
  }

  @Test
  void failingStatementIsAnsweredWithNothingHoweverTheStoreReportsIt() {
    List<RuntimeException> failures =
        List.of(
            new OutboxException("could not query", new SQLException("syntax")),
            new IllegalStateException(new SQLException("syntax")));
    for (RuntimeException failure : failures) {
      DeadEventManager broken = new DeadEventManager(store.connections(), failing(failure));

      assertThat(broken.query(null, null, 10)).isEmpty();
      assertThat(broken.replay("id")).isFalse();
      assertThat(broken.replayAll(null, null, 10)).isZero();
      assertThat(broken.count(null)).isZero();
    }
  }

  @Test
  void replayThatFailsHalfwayReturnsWhatItDid() {
    dead(25);
    AtomicInteger replays = new AtomicInteger();
    OutboxStore failing =
        new SpecifiedStore(store) {
          @Override
          public int replayDead(Connection connection, String eventId) {
            if (replays.incrementAndGet() > 15) {
              throw new OutboxException("connection lost", new SQLException("lost"));
            }
            return super.replayDead(connection, eventId);
          }
        };

    int replayed = new DeadEventManager(store.connections(), failing).replayAll(null, null, 10);

    assertThat(replayed).isEqualTo(10);
    assertThat(store.count(EventStatus.NEW)).isEqualTo(10);
  }

  @Test
  void storeWithoutDeadLettersSaysSo() {
    List<Runnable> calls = new ArrayList<>();
    OutboxStore plain = new PlainStore();
    DeadEventManager unsupported = new DeadEventManager(store.connections(), plain);
    calls.add(() -> unsupported.query(null, null, 1));
    calls.add(() -> unsupported.replay("id"));
    calls.add(() -> unsupported.count(null));
    calls.add(() -> unsupported.find("id"));
    calls.add(() -> unsupported.page(DeadQuery.of(DeadFilter.all())));
    calls.add(() -> unsupported.count(DeadFilter.all(), 1));
    calls.add(() -> unsupported.replay(DeadFilter.all(), BatchOptions.defaults()));
    calls.add(() -> unsupported.discard("id", "reason"));

    assertThat(calls)
        .allSatisfy(
            call ->
                assertThatThrownBy(call::run)
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining(PlainStore.class.getName()));
  }

  private EventStatus status(EventEnvelope event) {
    return store.find(event.eventId()).orElseThrow().status();
  }

  private OutboxStore failing(RuntimeException failure) {
    return new SpecifiedStore(store) {
      @Override
      public List<OutboxEvent> queryDead(
          Connection connection, String eventType, String aggregateType, int limit) {
        throw failure;
      }

      @Override
      public int replayDead(Connection connection, String eventId) {
        throw failure;
      }

      @Override
      public int countDead(Connection connection, String eventType) {
        throw failure;
      }
    };
  }
}
