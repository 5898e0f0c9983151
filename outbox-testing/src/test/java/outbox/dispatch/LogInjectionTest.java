package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import outbox.EventEnvelope;
import outbox.OutboxWriter;
import outbox.WriterHook;
import outbox.dead.DeadEventManager;
import outbox.model.EventStatus;
import outbox.testing.CapturedLogs;
import outbox.testing.Harness;

/** Nobody can write a line of somebody else's log, whatever he calls his events or throws. */
@Timeout(60)
class LogInjectionTest {

  private static final String FORGED = "x\r\nFORGED\u001b[31m\u2028FORGED\u202e";

  private final Harness harness = new Harness();
  private final CapturedLogs logs = new CapturedLogs();

  @AfterEach
  void close() {
    harness.close();
    logs.close();
  }

  private static EventEnvelope event(String type) {
    return EventEnvelope.builder(type)
        .eventId(FORGED)
        .aggregateType(FORGED)
        .aggregateId(FORGED)
        .tenantId(FORGED)
        .payloadJson("1")
        .build();
  }

  private void assertNothingIsForged() {
    assertThat(logs.all())
        .anyMatch(entry -> entry.contains("\\r\\nFORGED"))
        .flatMap(entry -> entry.lines().toList())
        .noneMatch(line -> line.startsWith("FORGED") || line.contains("\u001b"))
        .noneMatch(line -> line.contains("\u2028") || line.contains("\u202e"));
  }

  @Test
  void eventsForgeNothing() {
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher().maxAttempts(2));
    harness.build(harness.poller(dispatcher).claimLocking("node" + FORGED, Harness.LONG)).start();
    EventEnvelope event = event("T" + FORGED);

    harness.write(harness.writer(dispatcher), event);

    harness.awaitStatus(EventStatus.DEAD, event);
    harness.close();
    assertNothingIsForged();
  }

  @Test
  void exceptionsForgeNothing() {
    WriterHook hook =
        new WriterHook() {
          @Override
          public void afterCommit(List<EventEnvelope> events) {
            throw new IllegalStateException(FORGED, new IllegalArgumentException(FORGED));
          }
        };
    harness.write(new OutboxWriter(harness.tx, harness.store, hook), Harness.event());
    new DeadEventManager(
            () -> {
              throw new SQLException(FORGED);
            },
            harness.store)
        .find(FORGED);

    assertNothingIsForged();
  }

  static Stream<Supplier<RuntimeException>> strangeFailures() {
    return Stream.of(
        () -> new IllegalStateException(FORGED),
        () -> {
          RuntimeException circle = new IllegalStateException("one");
          circle.initCause(new IllegalStateException("two", circle));
          return circle;
        },
        () -> {
          RuntimeException chain = new IllegalStateException("first");
          for (int i = 0; i < 20_000; i++) {
            chain = new IllegalStateException("next", chain);
          }
          return chain;
        },
        () -> new IllegalStateException("huge".repeat(5_000_000)),
        () ->
            new IllegalStateException() {
              @Override
              public String getMessage() {
                throw new StackOverflowError(FORGED);
              }

              @Override
              public synchronized Throwable getCause() {
                throw new IllegalStateException(FORGED);
              }
            });
  }

  /** Of a listener, an interceptor, a policy and a hook alike. */
  @ParameterizedTest
  @MethodSource("strangeFailures")
  void strangeFailuresAreStoredAndLoggedLikeAnyOther(Supplier<RuntimeException> failure) {
    OutboxDispatcher dispatcher =
        harness.build(
            harness
                .dispatcher()
                .maxAttempts(2)
                .interceptor(
                    EventInterceptor.after(
                        (event, error) -> {
                          throw failure.get();
                        }))
                .retryPolicy(
                    tries -> {
                      throw failure.get();
                    }));
    harness.build(harness.poller(dispatcher).intervalMs(10)).start();
    harness.onEvent(
        event -> {
          throw failure.get();
        });
    EventEnvelope event = harness.stored();
    dispatcher.enqueueHot(Harness.hot(event));

    harness.awaitStatus(EventStatus.DEAD, event);
    dispatcher.close(); // which waits until all is told

    assertThat(harness.row(event).lastError()).isNotBlank().hasSizeLessThanOrEqualTo(4000);
    assertThat(logs.all())
        .isNotEmpty()
        .flatMap(entry -> entry.lines().toList())
        .noneMatch(line -> line.startsWith("FORGED"));
  }
}
