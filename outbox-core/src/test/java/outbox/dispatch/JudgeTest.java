package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.spi.Outcome;

class JudgeTest {

  private static final Instant NOW = Instant.parse("2030-01-02T03:04:05Z");
  private final Throwable failure = new IllegalStateException("refused");

  private final Judge judge =
      new Judge(
          tries -> tries * 100L,
          3,
          CompletionMode.MARK_DONE,
          Clock.fixed(NOW, ZoneOffset.UTC),
          UnroutablePolicy.DEAD,
          new FailureText(ErrorRedactor.withoutPayload(), 4000));

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
