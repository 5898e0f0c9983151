package outbox.dispatch;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import outbox.EventEnvelope;
import outbox.dispatch.EventInterceptor.Scope;
import outbox.internal.SafeLogger;
import outbox.internal.Stages;
import outbox.util.Nullable;

/** Runs the interceptors around a try: in order before it, in reverse after it. */
final class Interceptors {

  private static final Logger LOG = SafeLogger.of(OutboxDispatcher.class);

  private final List<EventInterceptor> interceptors;
  private final FailureText failureText;

  Interceptors(List<EventInterceptor> interceptors, FailureText failureText) {
    this.interceptors = interceptors;
    this.failureText = failureText;
  }

  /** Returns what went wrong; null if the listener may be called. */
  @Nullable
  Throwable enter(Attempt attempt) {
    try {
      for (EventInterceptor interceptor : interceptors) {
        interceptor.beforeDispatch(attempt.envelope());
        attempt.enteredOneMore();
      }
      return null;
    } catch (Throwable e) {
      return e;
    }
  }

  /** Calls the listener in everybody's scope; returns what went wrong with it. */
  @Nullable
  Throwable surround(List<EventEnvelope> events, Supplier<@Nullable Throwable> call) {
    Deque<Scope> open = new ArrayDeque<>(interceptors.size());
    try {
      interceptors.forEach(
          interceptor -> log(events, () -> open.push(interceptor.aroundListener(events))));
      return call.get();
    } finally {
      if (!open.isEmpty()) {
        Thread.interrupted(); // what the listener left must not reach them
      }
      open.forEach(scope -> log(events, scope::close));
    }
  }

  /** Not even an Error keeps the listener from being called, nor its result from counting. */
  private void log(List<EventEnvelope> events, Runnable step) {
    try {
      step.run();
    } catch (Throwable e) {
      EventEnvelope first = events.get(0);
      LOG.log(
          Level.WARNING,
          () ->
              "interceptor failed around the listener, which is called all the same: %s error=%s"
                  .formatted(first, failureText.of(first, e)));
    }
  }

  /** Tells those that were entered. */
  void leave(Attempt attempt, @Nullable Throwable failure) {
    Exception error = failure == null ? null : Stages.asException(failure);
    for (int i = attempt.entered() - 1; i >= 0; i--) {
      try {
        interceptors.get(i).afterDispatch(attempt.envelope(), error);
      } catch (Throwable e) {
        LOG.log(
            Level.WARNING,
            () ->
                "interceptor failed after delivery, which counts all the same: %s error=%s"
                    .formatted(attempt.envelope(), failureText.of(attempt.envelope(), e)));
      }
    }
  }
}
