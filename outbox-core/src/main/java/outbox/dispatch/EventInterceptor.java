package outbox.dispatch;

import java.util.List;
import java.util.Objects;
import outbox.EventEnvelope;
import outbox.util.Nullable;

/**
 * Surrounds every delivery, for what concerns all events.
 *
 * <p>{@code beforeDispatch} runs in the order of registration, and an exception fails the try.
 * {@code afterDispatch} runs in reverse, only for interceptors whose {@code beforeDispatch}
 * completed, and what it throws is logged. Between them {@code aroundListener} surrounds the call.
 */
public interface EventInterceptor {

  default void beforeDispatch(EventEnvelope event) throws Exception {}

  /**
   * Sets up what surrounds the listener on the thread that calls it, with one event or with all of
   * a batch. It is closed on the same thread when the call returns; the stage of an asynchronous
   * listener may end later. What this or closing it throws is logged, and the try goes on.
   */
  default Scope aroundListener(List<EventEnvelope> events) {
    return Scope.NONE;
  }

  /** The error is null if the listener returned. */
  default void afterDispatch(EventEnvelope event, @Nullable Exception error) {}

  static EventInterceptor before(BeforeHook hook) {
    Objects.requireNonNull(hook, "hook must not be null");
    return new EventInterceptor() {
      @Override
      public void beforeDispatch(EventEnvelope event) throws Exception {
        hook.accept(event);
      }
    };
  }

  static EventInterceptor after(AfterHook hook) {
    Objects.requireNonNull(hook, "hook must not be null");
    return new EventInterceptor() {
      @Override
      public void afterDispatch(EventEnvelope event, @Nullable Exception error) {
        hook.accept(event, error);
      }
    };
  }

  /** What surrounds a listener until it is closed. */
  @FunctionalInterface
  interface Scope {

    /** Nothing. */
    Scope NONE = () -> {};

    void close();
  }

  /** The lambda form of {@link #beforeDispatch}. */
  @FunctionalInterface
  interface BeforeHook {
    void accept(EventEnvelope event) throws Exception;
  }

  /** The lambda form of {@link #afterDispatch}. */
  @FunctionalInterface
  interface AfterHook {
    void accept(EventEnvelope event, @Nullable Exception error);
  }
}
