package outbox.destination;

import static org.assertj.core.api.Assertions.assertThat;
import static outbox.destination.ScriptedDestination.TAKES;
import static outbox.destination.ScriptedDestination.events;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import outbox.BatchResult;
import outbox.DeferException;
import outbox.EventEnvelope;
import outbox.internal.BatchMarks;
import outbox.testing.MutableClock;

/** A batch ends, whatever a destination returns, throws or asks for. */
class BatchEndTest {

  private final MutableClock clock = new MutableClock(Instant.parse("2030-01-31T12:00:00Z"));
  private final ScriptedDestination destination = new ScriptedDestination("billing");
  private final GuardedDestination guard =
      GuardedDestination.builder(destination).clock(clock).build();
  private final List<EventEnvelope> events = events(2);
  private final BatchMarks marks = new BatchMarks(events);

  @Test
  void aStageThatIsNoFutureEndsItsBatch() {
    NoFuture stage = new NoFuture();
    destination.script = (events, result) -> stage;

    CompletableFuture<?> told = send(marks);
    assertThat(told).isNotDone();
    stage.complete("taken");

    assertThat(told).isCompleted();
    assertThat(guard.health().delivered()).isEqualTo(2);
    assertThat(guard.health().inFlight()).isZero();
  }

  @Test
  void aStageThatIsNoFutureAndIsNotWantedAnyMoreEndsWhenItLikes() {
    NoFuture stage = new NoFuture();
    destination.script = (events, result) -> stage;

    assertThat(send(marks).cancel(true)).isTrue();
    assertThat(guard.health().inFlight()).isEqualTo(2);
    stage.complete("taken");

    assertThat(guard.health().inFlight()).isZero();
  }

  @Test
  void aStageThatCannotBeFollowedFailsItsBatch() {
    destination.script =
        (events, result) ->
            new CompletableFuture<Object>() {
              @Override
              public CompletableFuture<Object> whenComplete(
                  BiConsumer<? super Object, ? super Throwable> action) {
                throw new UnsupportedOperationException("not to be followed");
              }
            };

    assertThat(send(marks)).isCompleted();

    marks.end(null);
    assertThat(marks.failureOf(events.get(0))).hasMessage("not to be followed");
    assertThat(guard.health().inFlight()).isZero();
  }

  @Test
  void aDestinationThatAsksToBeLeftAloneForEverIsAskedAgainAfterADay() {
    destination.script =
        (events, result) -> {
          throw new UnavailableException("never", null, ChronoUnit.FOREVER.getDuration());
        };

    assertThat(send(marks)).isCompleted();

    marks.end(null);
    assertThat(marks.failureOf(events.get(0))).isInstanceOf(DeferException.class);
    destination.script = TAKES;
    clock.advance(Duration.ofDays(1).minusSeconds(1));
    assertThat(guard.isTaking()).isFalse();
    clock.advance(Duration.ofSeconds(1));
    assertThat(guard.isTaking()).isTrue();
  }

  @Test
  void aResultThatCannotBeToldFailsItsBatchAndTakesNoPlaceForEver() {
    BatchResult broken =
        new BatchResult() {
          @Override
          public void delivered(EventEnvelope event) {
            throw new IllegalStateException("nobody listens");
          }

          @Override
          public void failed(EventEnvelope event, Throwable failure) {
            throw new IllegalStateException("nobody listens");
          }
        };

    assertThat(send(broken)).isCompletedExceptionally();

    assertThat(guard.health().inFlight()).isZero();
  }

  private CompletableFuture<?> send(BatchResult result) {
    return guard.onEventsAsync(events, result).toCompletableFuture();
  }

  /** Can be followed and nothing else, as the interface allows. */
  private static final class NoFuture extends CompletableFuture<Object> {

    @Override
    public CompletableFuture<Object> toCompletableFuture() {
      throw new UnsupportedOperationException("a stage, no future");
    }
  }
}
