package outbox.poller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.EventEnvelope;
import outbox.dispatch.DispatcherPollerHandler;
import outbox.dispatch.OutboxDispatcher;
import outbox.model.EventStatus;
import outbox.registry.DefaultListenerRegistry;
import outbox.spi.Fetch;
import outbox.spi.Fetched;
import outbox.spi.OutboxStore;
import outbox.testing.DelegatingStore;
import outbox.testing.Harness;

/** When a started poller polls: at once, while there is more, when something is due. */
class PollingInTimeTest {

  private final Harness harness = new Harness();

  @AfterEach
  void close() {
    harness.close();
  }

  @Test
  void firstPollComesAtOnce() {
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher());
    EventEnvelope event = harness.stored();

    harness.build(harness.poller(dispatcher)).start();

    harness.awaitDone(event);
  }

  @Test
  void wokenPollerPollsAtOnce() {
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher());
    OutboxPoller poller = harness.build(harness.poller(dispatcher));
    poller.start();
    Harness.eventually(() -> harness.metrics.oldestLagMs() == 0);
    EventEnvelope event = harness.stored();

    poller.wake();

    harness.awaitDone(event);
  }

  @Test
  void pollsFollowEachOtherAtTheInterval() {
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher());
    harness.build(harness.poller(dispatcher).intervalMs(20)).start();
    Harness.eventually(() -> harness.metrics.oldestLagMs() == 0);

    EventEnvelope event = harness.stored();

    harness.awaitDone(event);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void retryIsDeliveredWhenItIsDueHoweverLongTheInterval(boolean claims) {
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher().retryPolicy(tries -> 200));
    OutboxPoller.Builder builder = harness.poller(dispatcher);
    harness.build(claims ? builder.claimLocking("node-1", Harness.LONG) : builder).start();
    harness.failFirst(2);
    long start = System.nanoTime(); // before the poller can see the event
    EventEnvelope event = harness.stored();

    dispatcher.enqueueHot(Harness.hot(event));

    harness.awaitDone(event);
    assertThat(Duration.ofNanos(System.nanoTime() - start))
        .isBetween(Duration.ofMillis(400), Duration.ofMinutes(1));
    assertThat(harness.listener.count()).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void manyRetriesAreAllDeliveredWhenDue(boolean claims) {
    AtomicInteger tries = new AtomicInteger();
    harness.onEvent(
        event -> {
          if (tries.getAndIncrement() % 3 == 0) {
            throw new IllegalStateException("refused");
          }
        });
    OutboxDispatcher dispatcher =
        harness.build(
            harness.dispatcher().workerCount(2).maxAttempts(1000).retryPolicy(n -> n % 4));
    OutboxPoller.Builder builder = harness.poller(dispatcher);
    EventEnvelope[] events = harness.stored(500).toArray(EventEnvelope[]::new);

    harness.build(claims ? builder.claimLocking("node-1", Harness.LONG) : builder).start();

    harness.awaitDone(events);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void backlogDrainsWithDefaultSettingsWithoutWaitingForIntervals(boolean claims) {
    int backlog = 20_000;
    AtomicInteger delivered = new AtomicInteger();
    OutboxDispatcher dispatcher =
        harness.build(
            OutboxDispatcher.builder()
                .connectionProvider(harness.store.connections())
                .outboxStore(harness.store)
                .listenerRegistry(
                    new DefaultListenerRegistry()
                        .register(Harness.TYPE, event -> delivered.incrementAndGet())));
    OutboxPoller.Builder builder =
        OutboxPoller.builder()
            .connectionProvider(harness.store.connections())
            .outboxStore(harness.store)
            .handler(new DispatcherPollerHandler(dispatcher));
    harness.stored(backlog);

    harness.build(claims ? builder.claimLocking(Duration.ofMinutes(5)) : builder).start();

    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> harness.store.count(EventStatus.DONE) == backlog);
    assertThat(delivered).hasValue(backlog);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void backlogThatDoesNotFitIsTakenAsRoomIsMade(boolean claims) {
    OutboxDispatcher dispatcher =
        harness.build(harness.dispatcher().workerCount(2).coldQueueCapacity(7));
    OutboxPoller.Builder builder = harness.poller(dispatcher);
    harness.stored(1500);

    harness.build(claims ? builder.claimLocking("node-1", Harness.LONG) : builder).start();

    Harness.eventually(() -> harness.store.count(EventStatus.DONE) == 1500);
    assertThat(harness.listener.count()).isEqualTo(1500);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void eventsOfAnotherProcessAreFoundSoonWhileTheyKeepComing(boolean claims) {
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher());
    OutboxPoller.Builder builder = harness.poller(dispatcher);
    EventEnvelope first = harness.stored();
    harness.build(claims ? builder.claimLocking("node-1", Harness.LONG) : builder).start();
    harness.awaitDone(first);

    for (int i = 0; i < 20; i++) {
      harness.awaitDone(harness.stored());
    }

    assertThat(harness.listener.count()).isEqualTo(21);
  }

  /** Without claims a poll fetches what is being delivered, and would go on doing so for ever. */
  @Test
  void eventThatIsBeingDeliveredAlreadyIsNoReasonToPollSoon() {
    CountDownLatch delivered = new CountDownLatch(1);
    harness.onEvent(event -> delivered.await());
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher());
    dispatcher.enqueueHot(Harness.hot(harness.stored()));
    Fetches fetches = new Fetches(harness.store);
    OutboxPoller poller = harness.build(harness.poller(dispatcher, fetches));

    poller.start();
    assertThatNoMoreFollow(fetches, 1);
    poller.wake();
    assertThatNoMoreFollow(fetches, 2);

    delivered.countDown();
  }

  @Test
  void handlerThatKeepsWhatItHasIsNotOfferedItAgainSoon() {
    harness.stored(3);
    Fetches fetches = new Fetches(harness.store);
    List<Integer> offeredBy = new CopyOnWriteArrayList<>(); // the numbers of the polls
    OutboxPoller poller =
        harness.build(
            OutboxPoller.builder()
                .connectionProvider(harness.store.connections())
                .outboxStore(fetches)
                .handler((event, attempts) -> offeredBy.add(fetches.count.get()))
                .intervalMs(700));

    poller.start();

    Harness.eventually(() -> offeredBy.size() >= 12);
    assertThat(offeredBy.subList(0, 3)).containsOnly(1);
    assertThat(offeredBy.get(3)).as("poll that offers again").isGreaterThan(2);
    assertThat(offeredBy.get(9) - offeredBy.get(3)).as("polls of two intervals").isLessThan(5);
  }

  /** Such as one whose status could never be written. */
  @Test
  void eventThatCameToNothingIsOfferedAgainThoughOthersKeepComing() {
    EventEnvelope lost = harness.stored();
    AtomicInteger offered = new AtomicInteger();
    OutboxPoller poller =
        harness.build(
            OutboxPoller.builder()
                .connectionProvider(harness.store.connections())
                .outboxStore(harness.store)
                .handler(
                    (event, attempts) -> {
                      if (event.eventId().equals(lost.eventId())) {
                        offered.incrementAndGet();
                      } else {
                        harness.store.markDone(null, event.eventId());
                        harness.stored();
                      }
                      return true;
                    })
                .intervalMs(90)); // too short for looks at due times, which would find them, too
    harness.stored();

    poller.start();

    Harness.eventually(() -> offered.get() >= 4);
  }

  /** Without claims each poll fetches them again. */
  @ParameterizedTest
  @CsvSource({"50, true", "150, false"})
  void newEventIsFollowedSoonUnlessManyAreInHandsAlready(int inHands, boolean isFollowed) {
    CountDownLatch delivered = new CountDownLatch(1);
    harness.onEvent(event -> delivered.await());
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher());
    harness.stored(inHands).forEach(event -> dispatcher.enqueueHot(Harness.hot(event)));
    Fetches fetches = new Fetches(harness.store);
    OutboxPoller poller = harness.build(harness.poller(dispatcher, fetches).batchSize(1000));
    poller.start();
    Harness.eventually(() -> !fetches.looks.isEmpty());
    int before = fetches.count.get();

    harness.stored();
    poller.wake();

    if (isFollowed) {
      Harness.eventually(() -> fetches.count.get() > before + 3);
    } else {
      assertThatNoMoreFollow(fetches, before + 1);
    }
    delivered.countDown();
  }

  @Test
  void eventsThatOthersHoldDoNotMakeItPoll() {
    harness.stored(3);
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher());
    harness
        .store
        .claimPending(null, "node-2", now().plusSeconds(1), now(), Duration.ZERO, 10)
        .forEach(event -> assertThat(event.attempts()).isZero());
    Fetches fetches = new Fetches(harness.store);

    harness.build(harness.poller(dispatcher, fetches).claimLocking("node-1", Harness.LONG)).start();

    assertThatNoMoreFollow(fetches, 1);
    assertThat(harness.listener.count()).isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void eventThatAnotherProcessLeftForLaterIsDeliveredWhenItIsDue(boolean claims) {
    EventEnvelope event = harness.stored();
    Instant due = now().plusMillis(700);
    harness.store.markRetry(null, event.eventId(), due, "failed in another process");
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher());
    OutboxPoller.Builder builder = harness.poller(dispatcher);

    harness.build(claims ? builder.claimLocking("node-1", Harness.LONG) : builder).start();

    harness.awaitDone(event);
    assertThat(now()).isBetween(due, due.plusSeconds(60));
  }

  /** The first look found nothing; a notification asks for the next. */
  @Test
  void eventThatAnotherProcessWritesForLaterIsDeliveredWhenItIsDue() {
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher());
    Fetches fetches = new Fetches(harness.store);
    OutboxPoller poller = harness.build(harness.poller(dispatcher, fetches));
    poller.start();
    Harness.eventually(() -> !fetches.looks.isEmpty());
    Instant due = now().plusSeconds(2);
    EventEnvelope event =
        EventEnvelope.builder(Harness.TYPE).availableAt(due).payloadJson("{}").build();
    harness.store.insertNew(null, event);

    poller.wake();

    harness.awaitDone(event);
    assertThat(now()).isBetween(due, due.plusSeconds(60));
    fetches.assertLooksAreApart();
  }

  @Test
  void idlePollerLooksForDueTimesFromTimeToTime() {
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher());
    Fetches fetches = new Fetches(harness.store);

    harness.build(harness.poller(dispatcher, fetches).intervalMs(1000)).start();

    Harness.eventually(() -> fetches.looks.size() >= 2);
    fetches.assertLooksAreApart();
  }

  /** But one for a look at due times; those that follow each other soon are five in that time. */
  private static void assertThatNoMoreFollow(Fetches fetches, int count) {
    Harness.eventually(() -> fetches.count.get() >= count);
    await()
        .during(Duration.ofMillis(300))
        .atMost(Duration.ofSeconds(5))
        .until(() -> fetches.count.get() <= count + 1);
  }

  private Instant now() {
    return harness.store.clock().instant();
  }

  /** Counts how often a poller asks. */
  private static final class Fetches extends DelegatingStore {

    private final OutboxStore store;
    private final AtomicInteger count = new AtomicInteger();
    private final List<Long> looks = new CopyOnWriteArrayList<>();
    private final long begin = System.nanoTime();

    Fetches(OutboxStore store) {
      super(store);
      this.store = store;
    }

    @Override
    public List<Fetched> fetch(Connection connection, Fetch fetch) {
      count.incrementAndGet();
      return store.fetch(connection, fetch);
    }

    @Override
    public List<Instant> dueTimes(Connection connection, Fetch later, Instant until) {
      looks.add(System.nanoTime());
      return store.dueTimes(connection, later, until);
    }

    /** The first comes at once; each of the others a while after the one before at the earliest. */
    void assertLooksAreApart() {
      for (int i = 0; i < looks.size(); i++) {
        assertThat(Duration.ofNanos(looks.get(i) - begin))
            .isGreaterThanOrEqualTo(Duration.ofMillis(1250).multipliedBy(i));
      }
    }
  }
}
