package outbox.poller;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PollPaceTest {

  private static final Duration INTERVAL = Duration.ofSeconds(5);

  private final PollPace pace = new PollPace(INTERVAL);

  @Test
  void fullBatchIsFollowedAtOnce() {
    assertThat(pace.after(PollResult.FULL)).isZero();
  }

  @Test
  void nothingLeftWaitsForTheInterval() {
    assertThat(pace.after(PollResult.DRAINED)).isEqualTo(INTERVAL);
  }

  @Test
  void failureIsFollowedSoonAndManyByTheInterval() {
    assertThat(pace.after(PollResult.FAILED)).isEqualTo(Duration.ofMillis(100));
    assertThat(pace.after(PollResult.FAILED)).isEqualTo(Duration.ofMillis(200));
    for (int i = 0; i < 20; i++) {
      pace.after(PollResult.FAILED);
    }
    assertThat(pace.after(PollResult.FAILED)).isEqualTo(INTERVAL);

    pace.after(PollResult.DRAINED);
    assertThat(pace.after(PollResult.FAILED)).isEqualTo(Duration.ofMillis(100));
  }

  @Test
  void roomIsAskedForMoreAndMoreSeldomButOften() {
    Duration first = pace.after(PollResult.NO_ROOM);
    Duration last = first;
    for (int i = 0; i < 20; i++) {
      Duration next = pace.after(PollResult.NO_ROOM);
      assertThat(next).isGreaterThanOrEqualTo(last);
      last = next;
    }

    assertThat(first).isLessThan(Duration.ofMillis(10));
    assertThat(last).isEqualTo(Duration.ofMillis(50));
  }

  @Test
  void refusalsBackOffToTheInterval() {
    Duration last = Duration.ZERO;
    for (int i = 0; i < 30; i++) {
      last = pace.after(PollResult.REFUSED);
    }

    assertThat(last).isEqualTo(INTERVAL);
  }

  @Test
  void progressStartsTheBackOffAnew() {
    Duration first = pace.after(PollResult.REFUSED);
    for (int i = 0; i < 30; i++) {
      pace.after(PollResult.REFUSED);
    }

    pace.after(PollResult.FULL);

    assertThat(pace.after(PollResult.REFUSED)).isEqualTo(first);
  }

  @Test
  void noPauseIsLongerThanTheInterval() {
    PollPace quick = new PollPace(Duration.ofMillis(1));

    for (PollResult result : PollResult.values()) {
      assertThat(quick.after(result)).isLessThanOrEqualTo(Duration.ofMillis(1));
    }
  }
}
