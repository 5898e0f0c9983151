package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.UndeclaredThrowableException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import outbox.DeferException;
import outbox.EventEnvelope;
import outbox.NonRetryableException;
import outbox.RetryAfterException;
import outbox.spi.Outcome;

class JudgeTest {

  private static final Instant NOW = Instant.parse("2030-01-02T03:04:05Z");
  private final Throwable failure = new IllegalStateException("refused");

  private final Judge judge = judge(UnroutablePolicy.DEAD);

  private static Judge judge(UnroutablePolicy unroutable) {
    return new Judge(
        tries -> tries * 100L,
        3,
        CompletionMode.MARK_DONE,
        Clock.fixed(NOW, ZoneOffset.UTC),
        unroutable,
        new FailureText(ErrorRedactor.withoutPayload(), 4000));
  }

  private static QueuedEvent event(int attempts) {
    return new QueuedEvent(EventEnvelope.ofJson("T", "{}"), QueuedEvent.Source.COLD, attempts);
  }

  @Test
  void noFailureIsDelivered() {
    assertThat(judge.judge(event(7), null)).isEqualTo(new Outcome.Delivered(false));
  }

  @Test
  void failureIsRetriedUntilTheTriesAreUsedUp() {
    assertThat(judge.judge(event(0), failure))
        .isEqualTo(
            new Outcome.Retry(1, NOW.plusMillis(100), "java.lang.IllegalStateException: refused"));
    assertThat(judge.judge(event(1), failure)).isInstanceOf(Outcome.Retry.class);
    assertThat(judge.judge(event(2), failure))
        .isEqualTo(new Outcome.Dead(3, "java.lang.IllegalStateException: refused"));
    assertThat(judge.judge(event(9), failure)).isInstanceOf(Outcome.Dead.class);
  }

  @Test
  void unroutableEventIsDeadAtOnce() {
    assertThat(judge.judge(event(0), new UnroutableEventException("nobody")))
        .isInstanceOf(Outcome.Dead.class);
  }

  @Test
  void retryAfterIsTheEarliestMomentOfTheNextTry() {
    Throwable inAMinute = new RetryAfterException(Duration.ofMinutes(1), "busy");
    Throwable soon = new RetryAfterException(Duration.ofMillis(10), "busy");
    Throwable atNoon = new RetryAfterException(NOW.plusSeconds(500), "busy");
    Throwable yesterday = new RetryAfterException(NOW.minusSeconds(86_400), "busy");

    assertThat(retryOf(inAMinute)).isEqualTo(NOW.plusSeconds(60));
    assertThat(retryOf(soon)).isEqualTo(NOW.plusMillis(100));
    assertThat(retryOf(atNoon)).isEqualTo(NOW.plusSeconds(500));
    assertThat(retryOf(yesterday)).isEqualTo(NOW.plusMillis(100));
  }

  @Test
  void retryAfterForEverIsBounded() {
    assertThat(retryOf(new RetryAfterException(Instant.MAX, "never")))
        .isEqualTo(NOW.plus(Duration.ofDays(3650)));
  }

  @Test
  void retryAfterCountsAndTheLastOneBuries() {
    Throwable busy = new RetryAfterException(Duration.ofMinutes(1), "busy");

    assertThat(((Outcome.Retry) judge.judge(event(0), busy)).attempts()).isEqualTo(1);
    assertThat(judge.judge(event(2), busy)).isInstanceOf(Outcome.Dead.class);
  }

  @Test
  void nonRetryableIsDeadAtOnce() {
    assertThat(judge.judge(event(0), new NonRetryableException("malformed")))
        .isEqualTo(new Outcome.Dead(1, "outbox.NonRetryableException: malformed"));
  }

  @Test
  void deferringCountsNothingHoweverOften() {
    DeferException paused = new DeferException(Duration.ofMinutes(5), "paused");

    assertThat(judge.judge(event(0), paused))
        .isEqualTo(new Outcome.Deferred(0, NOW.plusSeconds(300)));
    assertThat(judge.judge(event(2), paused))
        .isEqualTo(new Outcome.Deferred(2, NOW.plusSeconds(300)));
  }

  @Test
  void deferringIsNoWayToSpin() {
    assertThat(judge.judge(event(0), new DeferException(Duration.ZERO, "now")))
        .isEqualTo(new Outcome.Deferred(0, NOW.plusSeconds(1)));
  }

  @Test
  void whatWaitsInVainIsPutOffForAsLongAsThatLastsAndCountsNothing() {
    Map<Duration, Duration> leastByStall =
        Map.of(
            Duration.ZERO,
            Duration.ofSeconds(1),
            Duration.ofMillis(1500),
            Duration.ofMillis(1500),
            Duration.ofSeconds(10),
            Duration.ofSeconds(10),
            Duration.ofDays(400),
            Duration.ofSeconds(20));

    leastByStall.forEach(
        (stalled, least) -> {
          Outcome.Deferred deferred = (Outcome.Deferred) judge.judgeStalled(event(2), stalled);
          assertThat(deferred.attempts()).isEqualTo(2);
          assertThat(deferred.nextAt())
              .isBetween(NOW.plus(least), NOW.plus(least.multipliedBy(3).dividedBy(2)));
        });
  }

  @Test
  void wordOfAListenerCountsHoweverItIsWrapped() {
    Throwable said = new NonRetryableException("malformed");

    assertThat(
            List.of(
                new InvocationTargetException(said),
                new ExecutionException(said),
                new CompletionException(said),
                new IllegalStateException("framework", new UndeclaredThrowableException(said))))
        .allSatisfy(
            wrapped -> assertThat(judge.judge(event(0), wrapped)).isInstanceOf(Outcome.Dead.class));
  }

  @Test
  void outermostWordCounts() {
    Throwable said =
        new DeferException(Duration.ofMinutes(1), "paused", new NonRetryableException("no"));

    assertThat(judge.judge(event(0), said)).isInstanceOf(Outcome.Deferred.class);
  }

  @Test
  void whatIsSaidAfterTheTimeoutDoesNotCount() {
    EventEnvelope envelope = EventEnvelope.ofJson("T", "{}");
    Throwable late =
        new DispatchTimeoutException(
            envelope, Duration.ofSeconds(1), new NonRetryableException("interrupted"));

    assertThat(judge.judge(event(0), late)).isInstanceOf(Outcome.Retry.class);
  }

  @Test
  void unroutableEventWaitsForANodeThatKnowsIt() {
    Throwable nobody = new UnroutableEventException("nobody");

    for (int attempts : new int[] {0, 2, 9}) {
      assertThat(judge(UnroutablePolicy.LEAVE).judge(event(attempts), nobody))
          .isEqualTo(new Outcome.Deferred(attempts, NOW.plusSeconds(10)));
      assertThat(judge(UnroutablePolicy.RETRY).judge(event(attempts), nobody))
          .isInstanceOfSatisfying(
              Outcome.Retry.class,
              retry -> {
                assertThat(retry.attempts()).isEqualTo(attempts);
                assertThat(retry.nextAt()).isEqualTo(NOW.plusSeconds(10));
                assertThat(retry.error()).contains("nobody");
              });
    }
  }

  private Instant retryOf(Throwable failure) {
    return ((Outcome.Retry) judge.judge(event(0), failure)).nextAt();
  }

  @Test
  void eventThatNeverEndedIsDeadWhenItsTriesAreUsedUp() {
    assertThat(judge.judgeUnended(event(2))).isNull();

    assertThat(judge.judgeUnended(event(3)))
        .isInstanceOfSatisfying(
            Outcome.Dead.class,
            dead -> {
              assertThat(dead.attempts()).isEqualTo(3);
              assertThat(dead.error()).contains("started 3 times");
            });
  }

  @Test
  void queuedEventNeedsItsParts() {
    assertThatThrownBy(() -> new QueuedEvent(null, QueuedEvent.Source.HOT, 0))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> new QueuedEvent(EventEnvelope.ofJson("T", "{}"), null, 0))
        .isInstanceOf(NullPointerException.class);
  }
}
