package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.OutboxWriter;
import outbox.WriterHook;
import outbox.dead.DeadEventManager;
import outbox.model.EventStatus;
import outbox.poller.OutboxPoller;
import outbox.purge.OutboxPurgeScheduler;
import outbox.testing.CapturedLogs;
import outbox.testing.Harness;
import outbox.testing.InMemoryOutboxStore;
import outbox.util.JsonCodec;

/** Who is on call reads levels first: each event of note has its level, and none has a payload. */
class LoggingTest {

  private final Harness harness = new Harness();
  private final CapturedLogs logs = new CapturedLogs();

  @AfterEach
  void close() {
    harness.close();
    logs.close();
  }

  @Test
  void overflowIsOneWarningWithItsCountHoweverManyAreDropped() {
    OutboxDispatcher dispatcher =
        harness.build(harness.dispatcher().workerCount(0).hotQueueCapacity(1));
    OutboxWriter writer = harness.writer(dispatcher);
    EventEnvelope[] first =
        IntStream.range(0, 21).mapToObj(i -> Harness.event()).toArray(EventEnvelope[]::new);

    harness.write(writer, first);
    for (int i = 0; i < 500; i++) {
      harness.write(writer, Harness.event());
    }

    assertThat(logs.at(Level.WARNING))
        .singleElement()
        .satisfies(warning -> assertThat(warning).contains("hot queue", "count=20"));
    assertThat(harness.metrics.hotDropped()).isEqualTo(520);
  }

  @Test
  void deathIsAnErrorThatNamesTheEvent() {
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher().maxAttempts(1));
    harness.failFirst(1);
    EventEnvelope event = harness.stored();

    dispatcher.enqueueHot(Harness.hot(event));

    harness.awaitStatus(EventStatus.DEAD, event);
    Harness.eventually(() -> harness.metrics.dead() == 1);
    Harness.eventually(() -> !logs.at(Level.SEVERE).isEmpty());
    assertThat(logs.at(Level.SEVERE))
        .singleElement()
        .satisfies(error -> assertThat(error).contains("DEAD", event.eventId(), Harness.TYPE));
  }

  @Test
  void retryIsNoReasonToWakeAnyone() {
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher());
    harness.failFirst(1);
    EventEnvelope event = harness.stored();

    dispatcher.enqueueHot(Harness.hot(event));

    harness.awaitStatus(EventStatus.RETRY, event);
    dispatcher.close();
    assertThat(logs.at(Level.SEVERE)).isEmpty();
    assertThat(logs.at(Level.WARNING)).isEmpty();
  }

  @Test
  void failedPollIsAnError() {
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher());
    OutboxPoller poller =
        harness.build(
            harness
                .poller(dispatcher)
                .connectionProvider(
                    () -> {
                      throw new SQLException("connection refused");
                    }));

    poller.poll();

    assertThat(logs.at(Level.SEVERE)).singleElement().asString().contains("poll failed");
  }

  @Test
  void unreadableRowIsAnErrorThatNamesTheEvent() {
    JsonCodec nonsense =
        new JsonCodec() {
          @Override
          public String toJson(Map<String, String> headers) {
            return "{nonsense";
          }

          @Override
          public Map<String, String> parseObject(String json) {
            return JsonCodec.getDefault().parseObject(json);
          }
        };
    InMemoryOutboxStore store = new InMemoryOutboxStore(Clock.systemUTC(), nonsense);
    EventEnvelope event = Harness.event();
    store.insertNew(null, event);

    OutboxPoller.builder()
        .connectionProvider(store.connections())
        .outboxStore(store)
        .handler((e, attempts) -> true)
        .build()
        .poll();

    assertThat(logs.at(Level.SEVERE)).singleElement().asString().contains(event.eventId());
  }

  @Test
  void purgeTellsHowManyItDeletedAndWhatFailed() {
    OutboxPurgeScheduler.Builder scheduler =
        OutboxPurgeScheduler.builder().connectionProvider(harness.store.connections());

    scheduler.purger((connection, before, limit) -> 42).build().runOnce();
    scheduler
        .purger(
            (connection, before, limit) -> {
              throw new IllegalStateException("deadlock");
            })
        .build()
        .runOnce();

    assertThat(logs.at(Level.INFO)).anyMatch(line -> line.contains("42"));
    assertThat(logs.at(Level.SEVERE)).singleElement().asString().contains("purge failed");
  }

  @Test
  void deadLetterFailureIsAnError() {
    new DeadEventManager(
            () -> {
              throw new SQLException("connection refused");
            },
            harness.store)
        .count(null);

    assertThat(logs.at(Level.SEVERE)).hasSize(1);
  }

  @Test
  void failingHookIsLoggedWithItsStep() {
    WriterHook broken =
        new WriterHook() {
          @Override
          public void afterCommit(List<EventEnvelope> events) {
            throw new IllegalStateException("broken");
          }
        };

    harness.write(new OutboxWriter(harness.tx, harness.store, broken), Harness.event());

    assertThat(logs.at(Level.SEVERE)).singleElement().asString().contains("afterCommit");
  }

  @Test
  void payloadsAndHeadersAreNeverLogged() {
    OutboxDispatcher dispatcher =
        harness.build(
            harness.dispatcher().maxAttempts(2).retryPolicy(tries -> 0).hotQueueCapacity(1));
    harness.build(harness.poller(dispatcher).claimLocking("node-1", Harness.LONG)).start();
    harness.onEvent(
        event -> {
          throw new IllegalStateException("can't handle " + event);
        });
    OutboxWriter writer = harness.writer(dispatcher);
    EventEnvelope[] events =
        IntStream.range(0, 20)
            .mapToObj(
                i ->
                    EventEnvelope.builder(i % 2 == 0 ? Harness.TYPE : "Unknown")
                        .headers(Map.of("authorization", "s3cret"))
                        .payloadJson("{\"card\":\"4111-1111\"}")
                        .build())
            .toArray(EventEnvelope[]::new);

    harness.write(writer, events);

    harness.awaitStatus(EventStatus.DEAD, events);
    harness.close();
    assertThat(logs.all())
        .isNotEmpty()
        .noneMatch(line -> line.contains("4111-1") || line.contains("s3cret"));
  }
}
