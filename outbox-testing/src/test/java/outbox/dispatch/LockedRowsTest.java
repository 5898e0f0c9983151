package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.OutboxException;
import outbox.model.EventStatus;
import outbox.spi.Settlement;
import outbox.testing.Harness;
import outbox.testing.SettlingStore;

/** Rows that somebody keeps locked for long, in a store that waits for them in vain. */
class LockedRowsTest {

  private final Harness harness = new Harness();
  private final Set<String> locked = ConcurrentHashMap.newKeySet();
  private final AtomicInteger waits = new AtomicInteger();
  private final AtomicInteger questions = new AtomicInteger();

  @AfterEach
  void close() {
    harness.close();
  }

  @Test
  void othersAreWrittenAndTheLockedOneWhenItIsFree() {
    List<EventEnvelope> events = harness.stored(100);
    locked.add(events.get(37).eventId());

    deliver(new Telling(), events);

    Harness.eventually(() -> harness.store.count(EventStatus.DONE) == 99);
    locked.clear();
    harness.awaitDone(events.get(37));
    assertThat(harness.listener.count()).isEqualTo(100);
    assertThat(harness.row(events.get(37)).event().attempts()).isZero();
  }

  @Test
  void lockThatIsKnownIsNotWaitedForAgain() {
    EventEnvelope first = harness.stored();
    locked.add(first.eventId());
    OutboxDispatcher dispatcher = deliver(new Telling(), List.of(first));
    Harness.eventually(() -> questions.get() > 0);

    List<EventEnvelope> others = harness.stored(20);
    others.forEach(event -> dispatcher.enqueueHot(Harness.hot(event)));

    harness.awaitDone(others.toArray(EventEnvelope[]::new));
    Harness.eventually(() -> questions.get() > waits.get() + 3);
    assertThat(harness.status(first)).isEqualTo(EventStatus.NEW);
  }

  @Test
  void storeThatCannotTellHasTheOthersWrittenInTheEnd() {
    List<EventEnvelope> events = harness.stored(30);
    locked.add(events.get(17).eventId());

    deliver(new Waiting(), events);

    Harness.eventually(() -> harness.store.count(EventStatus.DONE) >= 20);
    locked.clear();
    harness.awaitDone(events.toArray(EventEnvelope[]::new));
    assertThat(harness.listener.count()).isEqualTo(30);
  }

  /** Whatever is delivered meanwhile becomes one group. */
  private OutboxDispatcher deliver(Waiting store, List<EventEnvelope> events) {
    CountDownLatch filled = new CountDownLatch(1);
    harness.onEvent(event -> filled.await());
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher(store));
    events.forEach(event -> dispatcher.enqueueHot(Harness.hot(event)));
    filled.countDown();
    return dispatcher;
  }

  private class Waiting extends SettlingStore {

    Waiting() {
      super(harness.store);
    }

    @Override
    public int settle(Connection connection, List<Settlement> settlements) {
      if (settlements.stream().anyMatch(this::isLocked)) {
        waits.incrementAndGet();
        throw new OutboxException("locked", new SQLException("locked", "55P03"));
      }
      return super.settle(connection, settlements);
    }

    boolean isLocked(Settlement settlement) {
      return locked.contains(settlement.eventId());
    }
  }

  private final class Telling extends Waiting {

    @Override
    public List<Settlement> locked(Connection connection, List<Settlement> settlements) {
      questions.incrementAndGet();
      return settlements.stream().filter(this::isLocked).toList();
    }
  }
}
