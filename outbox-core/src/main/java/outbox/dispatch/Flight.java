package outbox.dispatch;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import outbox.EventEnvelope;
import outbox.EventListener;
import outbox.internal.BatchMarks;
import outbox.util.Nullable;

/**
 * Tries that end with one stage. It lands once, whoever is first: the stage, the watchdog or close.
 */
final class Flight {

  private final EventListener listener;
  private final List<Attempt> attempts;
  private final BatchMarks marks;
  private final AtomicBoolean landed = new AtomicBoolean();
  private final AtomicReference<@Nullable CompletionStage<?>> stage = new AtomicReference<>();
  private final AtomicReference<@Nullable Watch> watch = new AtomicReference<>();

  Flight(EventListener listener, List<Attempt> attempts) {
    this.listener = listener;
    this.attempts = attempts;
    marks = new BatchMarks(attempts.stream().map(Attempt::envelope).toList());
  }

  EventListener listener() {
    return listener;
  }

  List<Attempt> attempts() {
    return attempts;
  }

  List<EventEnvelope> events() {
    return attempts.stream().map(Attempt::envelope).toList();
  }

  BatchMarks marks() {
    return marks;
  }

  /** What went wrong with this one of the events after the flight's end. */
  @Nullable
  Throwable failureOf(Attempt attempt) {
    EventEnvelope event = attempt.envelope();
    return DispatchTimeoutException.about(event, marks.failureOf(event));
  }

  void follows(CompletionStage<?> stage) {
    this.stage.set(stage);
  }

  CompletionStage<?> stage() {
    return Objects.requireNonNull(stage.get());
  }

  void watchedBy(@Nullable Watch watch) {
    this.watch.set(watch);
  }

  @Nullable
  Watch watch() {
    return watch.get();
  }

  /** True for whoever is first. */
  boolean land() {
    return landed.compareAndSet(false, true);
  }

  /** Asks whatever works on it to stop, as far as it can be asked. */
  void cancel() {
    CompletionStage<?> followed = stage.get();
    try {
      if (followed != null) {
        followed.toCompletableFuture().cancel(true);
      }
    } catch (RuntimeException e) {
      // A stage need not be a future, and one that isn't ends when it likes.
    }
  }
}
