package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import outbox.AsyncEventListener;
import outbox.BatchEventListener;
import outbox.EventEnvelope;
import outbox.OutboxException;
import outbox.model.EventStatus;
import outbox.registry.DefaultListenerRegistry;
import outbox.testing.Harness;

class DispatcherInterceptorTest {

  private final Harness harness = new Harness();
  private final List<String> calls = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    harness.close();
  }

  private final class Named implements EventInterceptor {

    private final String name;

    Named(String name) {
      this.name = name;
    }

    @Override
    public void beforeDispatch(EventEnvelope event) {
      calls.add("before " + name);
    }

    @Override
    public void afterDispatch(EventEnvelope event, Exception error) {
      calls.add("after " + name + " " + error);
    }
  }

  private EventEnvelope deliver(EventInterceptor... interceptors) {
    OutboxDispatcher dispatcher =
        harness.build(harness.dispatcher().interceptors(List.of(interceptors)));
    EventEnvelope event = harness.stored();
    dispatcher.enqueueHot(Harness.hot(event));
    Harness.eventually(() -> harness.status(event) != EventStatus.NEW);
    return event;
  }

  @Test
  void interceptorsSurroundTheListenerInReverseOrder() {
    harness.onEvent(event -> calls.add("listener"));

    deliver(new Named("a"), new Named("b"));

    assertThat(calls)
        .containsExactly("before a", "before b", "listener", "after b null", "after a null");
  }

  private EventInterceptor scoped(String name) {
    return new EventInterceptor() {
      @Override
      public Scope aroundListener(List<EventEnvelope> events) {
        calls.add("open %s for %d".formatted(name, events.size()));
        return () -> calls.add("close %s by %s".formatted(name, thread()));
      }
    };
  }

  private static String thread() {
    return Thread.currentThread().getName();
  }

  @Test
  void scopesSurroundTheListenerOnItsThread() {
    harness.onEvent(event -> calls.add("listener by " + thread()));

    deliver(scoped("a"), new Named("b"), scoped("c"));

    assertThat(calls)
        .containsExactly(
            "before b",
            "open a for 1",
            "open c for 1",
            "listener by outbox-worker-1",
            "close c by outbox-worker-1",
            "close a by outbox-worker-1",
            "after b null");
  }

  @Test
  void scopeOfAnAsynchronousListenerIsClosedBeforeItsStageEnds() {
    CompletableFuture<Void> stage = new CompletableFuture<>();
    AsyncEventListener listener = event -> stage;
    OutboxDispatcher dispatcher =
        harness.build(
            harness
                .dispatcher()
                .listenerRegistry(new DefaultListenerRegistry().register(Harness.TYPE, listener))
                .interceptors(List.of(scoped("a"), new Named("b"))));
    EventEnvelope event = harness.stored();

    dispatcher.enqueueHot(Harness.hot(event));
    Harness.eventually(() -> calls.size() == 3);
    stage.complete(null);

    harness.awaitDone(event);
    assertThat(calls)
        .containsExactly("before b", "open a for 1", "close a by outbox-worker-1", "after b null");
  }

  @Test
  void scopeIsOpenedOnceForABatch() {
    BatchEventListener listener = (events, result) -> calls.add("listener " + events.size());
    OutboxDispatcher dispatcher =
        harness.build(
            harness
                .dispatcher()
                .listenerRegistry(new DefaultListenerRegistry().register(Harness.TYPE, listener))
                .interceptor(scoped("a")));
    EventEnvelope event = harness.stored();

    dispatcher.enqueueHot(Harness.hot(event));

    harness.awaitDone(event);
    assertThat(calls).containsExactly("open a for 1", "listener 1", "close a by outbox-worker-1");
  }

  @Test
  void brokenScopesChangeNothing() {
    EventInterceptor cannotOpen =
        new EventInterceptor() {
          @Override
          public Scope aroundListener(List<EventEnvelope> events) {
            throw new AssertionError("tracer is down");
          }
        };
    EventInterceptor cannotClose =
        new EventInterceptor() {
          @Override
          public Scope aroundListener(List<EventEnvelope> events) {
            return () -> {
              throw new IllegalStateException("tracer is down");
            };
          }
        };

    EventEnvelope event = deliver(scoped("a"), cannotOpen, cannotClose);

    assertThat(harness.status(event)).isEqualTo(EventStatus.DONE);
    assertThat(calls).containsExactly("open a for 1", "close a by outbox-worker-1");
  }

  @Test
  void interceptorsAddUp() {
    OutboxDispatcher dispatcher =
        harness.build(
            harness
                .dispatcher()
                .interceptor(new Named("a"))
                .interceptors(List.of(new Named("b")))
                .interceptor(new Named("c")));
    EventEnvelope event = harness.stored();

    dispatcher.enqueueHot(Harness.hot(event));

    harness.awaitDone(event);
    assertThat(calls).startsWith("before a", "before b", "before c", "after c null");
  }

  @Test
  void failureOfTheListenerIsShownToTheInterceptors() {
    harness.onEvent(
        event -> {
          throw new IllegalStateException("refused");
        });

    EventEnvelope event = deliver(new Named("a"));

    assertThat(calls)
        .containsExactly("before a", "after a java.lang.IllegalStateException: refused");
    assertThat(harness.status(event)).isEqualTo(EventStatus.RETRY);
  }

  @Test
  void errorOfTheListenerIsShownAsAnException() {
    AssertionError error = new AssertionError("bad");
    harness.onEvent(
        event -> {
          throw error;
        });
    List<Exception> seen = new ArrayList<>();

    deliver(EventInterceptor.after((event, failure) -> seen.add(failure)));

    assertThat(seen).singleElement().isInstanceOf(OutboxException.class);
    assertThat(seen.get(0)).hasCause(error);
  }

  @Test
  void failureBeforeTheListenerFailsTheTry() {
    EventInterceptor failing =
        EventInterceptor.before(
            event -> {
              throw new java.io.IOException("not now");
            });

    EventEnvelope event = deliver(new Named("a"), failing, new Named("c"));

    assertThat(calls).containsExactly("before a", "after a java.io.IOException: not now");
    assertThat(harness.listener.count()).isZero();
    assertThat(harness.status(event)).isEqualTo(EventStatus.RETRY);
    assertThat(harness.row(event).lastError()).contains("not now");
  }

  @Test
  void failureAfterTheListenerChangesNothing() {
    EventInterceptor failing =
        EventInterceptor.after(
            (event, error) -> {
              throw new AssertionError("audit is down");
            });

    EventEnvelope event = deliver(new Named("a"), failing, new Named("c"));

    assertThat(harness.status(event)).isEqualTo(EventStatus.DONE);
    assertThat(calls).containsExactly("before a", "before c", "after c null", "after a null");
  }

  @Test
  void interceptorsSeeUnroutableEvents() {
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher().interceptor(new Named("a")));
    EventEnvelope event = EventEnvelope.ofJson("Unknown", "{}");
    harness.store.insertNew(null, event);

    dispatcher.enqueueHot(Harness.hot(event));

    harness.awaitStatus(EventStatus.DEAD, event);
    assertThat(calls).hasSize(2);
    assertThat(calls.get(1)).contains("UnroutableEventException");
  }

  @Test
  void missingInterceptorIsRefused() {
    assertThatThrownBy(() -> harness.dispatcher().interceptor(null))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> EventInterceptor.before(null))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> EventInterceptor.after(null)).isInstanceOf(NullPointerException.class);
  }
}
