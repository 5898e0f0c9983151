package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.OutboxException;
import outbox.OutboxWriter;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.spi.MetricsExporter;
import outbox.spi.OutboxStore;
import outbox.testing.DelegatingStore;
import outbox.testing.Harness;

/** Whatever breaks around a delivery, the event is not lost and the others go on. */
class BrokenPartsTest {

  private final Harness harness = new Harness();

  @AfterEach
  void close() {
    harness.close();
  }

  @Test
  void throwingMetricsChangeNothing() {
    MetricsExporter broken =
        (MetricsExporter)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {MetricsExporter.class},
                (proxy, method, arguments) -> {
                  throw new AssertionError(method.getName());
                });
    OutboxDispatcher dispatcher =
        harness.build(harness.dispatcher().metrics(broken).retryPolicy(tries -> 0));
    harness.failFirst(1);
    harness.build(harness.poller(dispatcher).metrics(broken)).start();
    EventEnvelope event = harness.stored();

    boolean taken = dispatcher.enqueueHot(Harness.hot(event));

    assertThat(taken).isTrue();
    harness.awaitDone(event);
    assertThat(harness.listener.count()).isEqualTo(2);
  }

  @Test
  void doneThatCannotBeWrittenNeverBecomesARetry() {
    AtomicInteger failures = new AtomicInteger(3);
    AtomicInteger retries = new AtomicInteger();
    OutboxStore store =
        new DelegatingStore(harness.store) {
          @Override
          public int markDone(Connection connection, String eventId) {
            if (failures.getAndDecrement() > 0) {
              throw new OutboxException("deadlock", null);
            }
            return super.markDone(connection, eventId);
          }

          @Override
          public int markRetry(Connection connection, String id, Instant nextAt, String error) {
            retries.incrementAndGet();
            return super.markRetry(connection, id, nextAt, error);
          }
        };
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher(store));
    EventEnvelope event = harness.stored();

    dispatcher.enqueueHot(Harness.hot(event));

    harness.awaitDone(event);
    assertThat(harness.listener.count()).isEqualTo(1);
    assertThat(retries).hasValue(0);
    assertThat(harness.row(event).event().attempts()).isZero();
  }

  @Test
  void statusThatIsRefusedForGoodHasNoEventDeliveredAgain() {
    AtomicInteger refused = new AtomicInteger();
    AtomicInteger polls = new AtomicInteger();
    OutboxStore store =
        new DelegatingStore(harness.store) {
          @Override
          public int markDone(Connection connection, String eventId) {
            refused.incrementAndGet();
            throw new OutboxException("refused by a trigger", null);
          }

          @Override
          public List<OutboxEvent> pollPending(
              Connection connection, Instant now, Duration skipRecent, int limit) {
            polls.incrementAndGet();
            return super.pollPending(connection, now, skipRecent, limit);
          }
        };
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher(store));
    harness.build(harness.poller(dispatcher, store).intervalMs(10)).start();
    EventEnvelope event = harness.stored();
    Harness.eventually(() -> refused.get() == Completer.MOST_FAILURES);

    int before = polls.get();
    Harness.eventually(() -> polls.get() > before + 20);

    assertThat(harness.listener.count()).isEqualTo(1);
    assertThat(harness.status(event)).isEqualTo(EventStatus.NEW);
  }

  @Test
  void oneBadRowFailsNoOther() {
    CountDownLatch filled = new CountDownLatch(1);
    harness.onEvent(event -> filled.await());
    List<EventEnvelope> events = harness.stored(100);
    EventEnvelope bad = events.get(37);
    OutboxStore store =
        new DelegatingStore(harness.store) {
          @Override
          public int markDone(Connection connection, String eventId) {
            if (eventId.equals(bad.eventId())) {
              throw new OutboxException("bad row", null);
            }
            return super.markDone(connection, eventId);
          }
        };
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher(store));
    events.forEach(event -> dispatcher.enqueueHot(Harness.hot(event)));

    filled.countDown();

    Harness.eventually(() -> harness.store.count(EventStatus.DONE) == 99);
    assertThat(harness.status(bad)).isEqualTo(EventStatus.NEW);
    Harness.eventually(() -> harness.metrics.successes() == 99);
  }

  @Test
  void withoutADatabaseABadRowCountsNoAttemptTwice() {
    CountDownLatch filled = new CountDownLatch(1);
    AtomicBoolean failedOnce = new AtomicBoolean();
    harness.onEvent(
        event -> {
          filled.await();
          throw new IllegalStateException("refused");
        });
    List<EventEnvelope> events = harness.stored(20);
    EventEnvelope bad = events.get(19);
    OutboxStore store =
        new DelegatingStore(harness.store) {
          @Override
          public int markRetry(Connection connection, String id, Instant nextAt, String error) {
            if (id.equals(bad.eventId()) && failedOnce.compareAndSet(false, true)) {
              throw new OutboxException("bad row", null);
            }
            return super.markRetry(connection, id, nextAt, error);
          }
        };
    OutboxDispatcher dispatcher =
        harness.build(harness.dispatcher(store).connectionProvider(() -> null));
    events.forEach(event -> dispatcher.enqueueHot(Harness.hot(event)));

    filled.countDown();

    harness.awaitStatus(EventStatus.RETRY, events.toArray(EventEnvelope[]::new));
    assertThat(events).allSatisfy(e -> assertThat(harness.row(e).event().attempts()).isEqualTo(1));
  }

  @Test
  void statusesAreWrittenWhenTheDatabaseIsBack() {
    AtomicBoolean away = new AtomicBoolean(true);
    AtomicInteger refused = new AtomicInteger();
    OutboxDispatcher dispatcher =
        harness.build(
            harness
                .dispatcher()
                .connectionProvider(
                    () -> {
                      if (away.get()) {
                        refused.incrementAndGet();
                        throw new SQLException("connection refused", "08001");
                      }
                      return harness.store.connections().getConnection();
                    }));
    List<EventEnvelope> events = harness.stored(30);
    events.forEach(event -> dispatcher.enqueueHot(Harness.hot(event)));
    Harness.eventually(() -> harness.listener.count() == 30);
    Harness.eventually(() -> refused.get() > 1);

    away.set(false);

    harness.awaitDone(events.toArray(EventEnvelope[]::new));
    assertThat(harness.listener.count()).isEqualTo(30);
  }

  @Test
  void throwingLogsForgetNoStatusThatWaits() {
    Logger logger = Logger.getLogger("outbox");
    Handler broken = new BrokenHandler();
    logger.addHandler(broken);
    try {
      statusesAreWrittenWhenTheDatabaseIsBack();
    } finally {
      logger.removeHandler(broken);
    }
  }

  @Test
  void nothingIsDeliveredTwiceWhileTheDatabaseIsReadOnly() {
    AtomicInteger refused = new AtomicInteger();
    OutboxStore readOnly =
        new DelegatingStore(harness.store) {
          @Override
          public int markDone(Connection connection, String eventId) {
            if (refused.incrementAndGet() <= Completer.MOST_FAILURES) {
              throw new OutboxException("read-only", new SQLException("read-only", "25006"));
            }
            return super.markDone(connection, eventId);
          }
        };
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher(readOnly));
    harness.build(harness.poller(dispatcher, readOnly).intervalMs(20)).start();

    harness.awaitDone(harness.stored());

    assertThat(harness.listener.count()).isEqualTo(1);
  }

  @Test
  void trackerThatFailsToReleaseStopsNothing() {
    InFlightTracker broken = tracker(eventId -> true, eventId -> fail("release"));
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher().inFlightTracker(broken));
    List<EventEnvelope> events = harness.stored(5);

    events.forEach(event -> dispatcher.enqueueHot(Harness.hot(event)));

    harness.awaitDone(events.toArray(EventEnvelope[]::new));
  }

  @Test
  void trackerThatFailsToReleaseAnUnwritableEventStopsNothing() {
    EventEnvelope bad = harness.stored();
    OutboxStore store =
        new DelegatingStore(harness.store) {
          @Override
          public int markDone(Connection connection, String eventId) {
            if (eventId.equals(bad.eventId())) {
              throw new OutboxException("bad row", null);
            }
            return super.markDone(connection, eventId);
          }
        };
    InFlightTracker broken = tracker(eventId -> true, eventId -> fail("release"));
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher(store).inFlightTracker(broken));
    dispatcher.enqueueHot(Harness.hot(bad));
    Harness.eventually(() -> harness.listener.count() == 1);

    List<EventEnvelope> others = harness.stored(5);
    others.forEach(event -> dispatcher.enqueueHot(Harness.hot(event)));

    harness.awaitDone(others.toArray(EventEnvelope[]::new));
  }

  @Test
  void trackerThatFailsToAcquireRefusesTheEventAndGivesItsClaimBack() {
    AtomicBoolean broken = new AtomicBoolean(true);
    InFlightTracker tracker =
        tracker(
            eventId -> {
              if (broken.get()) {
                fail("acquire");
              }
              return true;
            },
            eventId -> {});
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher().inFlightTracker(tracker));
    harness
        .build(harness.poller(dispatcher).claimLocking("node-1", Harness.LONG).intervalMs(10))
        .start();
    OutboxWriter writer = harness.writer(dispatcher);
    EventEnvelope[] events =
        IntStream.range(0, 3).mapToObj(i -> Harness.event()).toArray(EventEnvelope[]::new);
    harness.write(writer, events);
    Harness.eventually(() -> harness.metrics.hotDropped() == 3);

    broken.set(false);

    harness.awaitDone(events);
  }

  @Test
  void eventThatAWorkerFailedOnIsInFlightNoMore() {
    AtomicBoolean broken = new AtomicBoolean(true);
    DefaultInFlightTracker entries = new DefaultInFlightTracker();
    InFlightTracker tracker = failingToTell(entries, broken);
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher().inFlightTracker(tracker));
    EventEnvelope event = harness.stored();
    dispatcher.enqueueHot(Harness.hot(event));
    Harness.eventually(() -> !broken.get());

    Harness.eventually(
        () -> dispatcher.enqueueCold(Harness.cold(event, 0)) && harness.listener.count() > 0);

    harness.awaitDone(event);
  }

  /** Fails once when it is asked whether a hold is current. */
  private static InFlightTracker failingToTell(InFlightTracker entries, AtomicBoolean broken) {
    return new InFlightTracker() {
      @Override
      public boolean tryAcquire(String eventId) {
        return entries.tryAcquire(eventId);
      }

      @Override
      public void release(String eventId) {
        entries.release(eventId);
      }

      @Override
      public Hold acquire(String eventId) {
        return tryAcquire(eventId) ? hold(eventId) : null;
      }

      private Hold hold(String eventId) {
        return new Hold() {
          @Override
          public void release() {
            entries.release(eventId);
          }

          @Override
          public boolean isCurrent() {
            if (broken.getAndSet(false)) {
              fail("isCurrent");
            }
            return true;
          }
        };
      }
    };
  }

  private static final class BrokenHandler extends Handler {

    @Override
    public void publish(LogRecord record) {
      throw new IllegalStateException("the log is full");
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  private interface Acquire {
    boolean test(String eventId);
  }

  private interface Release {
    void accept(String eventId);
  }

  private static InFlightTracker tracker(Acquire acquire, Release release) {
    return new InFlightTracker() {
      @Override
      public boolean tryAcquire(String eventId) {
        return acquire.test(eventId);
      }

      @Override
      public void release(String eventId) {
        release.accept(eventId);
      }
    };
  }

  private static void fail(String step) {
    throw new IllegalStateException("tracker is broken in " + step);
  }
}
