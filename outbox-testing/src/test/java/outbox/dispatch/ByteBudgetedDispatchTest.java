package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.EventEnvelope;
import outbox.OutboxWriter;
import outbox.model.EventStatus;
import outbox.poller.OutboxPoller;
import outbox.spi.Fetch;
import outbox.spi.Fetched;
import outbox.spi.OutboxStore;
import outbox.testing.DelegatingStore;
import outbox.testing.Harness;
import outbox.testing.Uninterruptibly;

/** Large events are bounded by their bytes long before the queues are full. */
@Timeout(60)
class ByteBudgetedDispatchTest {

  private static final int MB = 1 << 20;
  private static final String LARGE = '"' + "x".repeat(MB - 2) + '"';

  private final Harness harness = new Harness();
  private final CountDownLatch held = new CountDownLatch(1);

  @AfterEach
  void close() {
    held.countDown();
    harness.close();
  }

  private static EventEnvelope large() {
    return EventEnvelope.ofJson(Harness.TYPE, LARGE);
  }

  private List<EventEnvelope> storedLarge(int count) {
    List<EventEnvelope> events = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      EventEnvelope event = large();
      harness.store.insertNew(null, event);
      events.add(event);
    }
    return events;
  }

  @Test
  void bothQueuesShareTheBudget() {
    OutboxDispatcher dispatcher =
        harness.build(harness.dispatcher().workerCount(0).queueBytes(4L * MB));
    DispatcherPollerHandler handler = new DispatcherPollerHandler(dispatcher);
    assertThat(handler.availableBytes()).isEqualTo(4L * MB);

    assertThat(dispatcher.enqueueHot(Harness.hot(large()))).isTrue();
    assertThat(dispatcher.enqueueCold(Harness.cold(large(), 0))).isTrue();
    assertThat(dispatcher.enqueueHot(Harness.hot(large()))).isTrue();
    assertThat(dispatcher.enqueueHot(Harness.hot(large()))).isFalse();
    assertThat(dispatcher.enqueueCold(Harness.cold(large(), 0))).isFalse();

    assertThat(dispatcher.enqueueHot(Harness.hot(Harness.event()))).isTrue();
    assertThat(handler.availableBytes()).isBetween(MB - 10_000L, (long) MB);
  }

  @Test
  void eventLargerThanTheBudgetPassesAlone() {
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher().queueBytes(1000));
    List<EventEnvelope> events = storedLarge(3);
    OutboxPoller poller = harness.build(harness.poller(dispatcher).intervalMs(5));

    poller.start();

    harness.awaitDone(events.toArray(EventEnvelope[]::new));
    assertThat(harness.listener.count()).isEqualTo(3);
  }

  @Test
  void bytesAreHeldUntilTheStatusIsWritten() {
    OutboxDispatcher dispatcher =
        harness.build(
            harness
                .dispatcher()
                .queueBytes(2L * MB)
                .connectionProvider(
                    () -> {
                      Uninterruptibly.await(held, Duration.ofSeconds(20));
                      return harness.store.connections().getConnection();
                    }));
    List<EventEnvelope> events = storedLarge(2);
    assertThat(dispatcher.enqueueHot(Harness.hot(events.get(0)))).isTrue();
    Harness.eventually(() -> harness.listener.count() == 1);
    assertThat(dispatcher.enqueueHot(Harness.hot(events.get(1)))).isFalse();

    held.countDown();

    harness.awaitDone(events.get(0));
    Harness.eventually(() -> dispatcher.enqueueHot(Harness.hot(events.get(1))));
    harness.awaitDone(events.get(1));
  }

  @Test
  void overflowInBytesIsPolledLikeAnyOther() {
    harness.onEvent(event -> held.await());
    OutboxDispatcher dispatcher =
        harness.build(harness.dispatcher().queueBytes(3L * MB).workerCount(2));
    harness
        .build(harness.poller(dispatcher).claimLocking("node-1", Harness.LONG).intervalMs(20))
        .start();
    OutboxWriter writer = harness.writer(dispatcher);
    EventEnvelope[] events = new EventEnvelope[10];
    for (int i = 0; i < events.length; i++) {
      events[i] = large();
      harness.write(writer, events[i]);
    }
    assertThat(harness.metrics.hotDropped()).isEqualTo(8);

    held.countDown();

    harness.awaitDone(events);
    assertThat(harness.listener.count()).isEqualTo(10);
  }

  @Test
  void pollerFetchesAboutWhatFits() {
    AtomicInteger most = new AtomicInteger();
    AtomicInteger fetched = new AtomicInteger();
    AtomicLong handled = new AtomicLong();
    OutboxStore store =
        new DelegatingStore(harness.store) {
          @Override
          public List<Fetched> fetch(Connection connection, Fetch fetch) {
            List<Fetched> rows = harness.store.fetch(connection, fetch);
            most.accumulateAndGet(rows.size(), Math::max);
            fetched.addAndGet(rows.size());
            return rows;
          }
        };
    harness.onEvent(event -> handled.addAndGet(event.payloadSize()));
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher().queueBytes(8L * MB));
    List<EventEnvelope> events = storedLarge(100);

    harness
        .build(
            harness
                .poller(dispatcher, store)
                .batchSize(500)
                .claimLocking("node-1", Harness.LONG)
                .intervalMs(20))
        .start();

    harness.awaitDone(events.toArray(EventEnvelope[]::new));
    assertThat(most.get()).isLessThanOrEqualTo(8);
    assertThat(fetched.get()).isLessThan(150); // few come twice because they were refused
    assertThat(handled.get()).isEqualTo(100L * MB);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void largeEventsAfterSmallOnesAreFetchedWithinTheBudget(boolean claims) {
    AtomicLong most = new AtomicLong();
    OutboxStore store =
        new DelegatingStore(harness.store) {
          @Override
          public List<Fetched> fetch(Connection connection, Fetch fetch) {
            List<Fetched> rows = harness.store.fetch(connection, fetch);
            long bytes = rows.stream().mapToLong(row -> row.event().payloadJson().length()).sum();
            most.accumulateAndGet(bytes, Math::max);
            return rows;
          }
        };
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher().queueBytes(8L * MB));
    List<EventEnvelope> events = new ArrayList<>(harness.stored(2000));
    events.addAll(storedLarge(60));
    events.addAll(harness.stored(2000));
    events.addAll(storedLarge(60));
    OutboxPoller.Builder poller = harness.poller(dispatcher, store).batchSize(1000);
    if (claims) {
      poller.claimLocking("node-1", Harness.LONG);
    }

    harness.build(poller).start();

    harness.awaitDone(events.toArray(EventEnvelope[]::new));
    // Without claims it fetches again what it has in hand.
    assertThat(most.get()).isLessThanOrEqualTo(claims ? 9L * MB : 13L * MB);
    assertThat(harness.listener.count()).isEqualTo(events.size());
  }

  @Test
  void onePollTakesAWholeBatchOfSmallEvents() {
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher());
    OutboxPoller poller = harness.build(harness.poller(dispatcher).batchSize(300));
    List<EventEnvelope> events = harness.stored(400);

    poller.poll();

    harness.awaitDone(events.subList(0, 300).toArray(EventEnvelope[]::new));
    assertThat(harness.store.count(EventStatus.NEW)).isEqualTo(100);
  }

  @Test
  void impossibleBudgetIsRefused() {
    assertThatThrownBy(() -> harness.dispatcher().queueBytes(0).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("queueBytes");
  }
}
