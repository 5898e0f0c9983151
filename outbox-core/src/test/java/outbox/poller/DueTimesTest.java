package outbox.poller;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class DueTimesTest {

  private static final Instant NOW = Instant.parse("2030-01-02T03:04:05.003Z");

  private final DueTimes dueTimes = new DueTimes();

  @Test
  void nothingIsDueAtFirst() {
    assertThat(dueTimes.untilNext(NOW)).isNull();
  }

  @Test
  void nextDueTimeIsNeverEarlyAndAtMostTenMillisecondsLate() {
    for (int ms = 1; ms < 50; ms++) {
      DueTimes times = new DueTimes();
      Instant due = NOW.plusMillis(ms).plusNanos(999_999);
      times.add(due);

      Instant wake = NOW.plus(times.untilNext(NOW));

      assertThat(wake).isBetween(due, due.plusMillis(10));
    }
  }

  @Test
  void earliestComesFirst() {
    dueTimes.add(NOW.plusSeconds(60));
    dueTimes.add(NOW.plusSeconds(1));
    dueTimes.add(NOW.plusSeconds(30));

    assertThat(dueTimes.untilNext(NOW)).isLessThan(Duration.ofSeconds(2));
  }

  @Test
  void onlyAnEarliestTimeAsksToBeWokenFor() {
    assertThat(dueTimes.add(NOW.plusSeconds(60))).isTrue();
    assertThat(dueTimes.add(NOW.plusSeconds(90))).isFalse();
    assertThat(dueTimes.add(NOW.plusSeconds(30))).isTrue();
  }

  @Test
  void timeAtTheEndOfTheFirstTenMillisecondsIsNotTheEarliest() {
    assertThat(dueTimes.add(NOW.plusMillis(2))).isTrue();

    assertThat(dueTimes.add(NOW.plusMillis(7))).isFalse();
  }

  @Test
  void timesThatHaveComeAreForgotten() {
    dueTimes.add(NOW.plusMillis(10));
    dueTimes.add(NOW.plusSeconds(5));

    assertThat(dueTimes.forget(NOW)).isFalse();
    assertThat(dueTimes.forget(NOW.plusSeconds(1))).isTrue();
    assertThat(dueTimes.untilNext(NOW.plusSeconds(1))).isGreaterThan(Duration.ofSeconds(3));
    assertThat(dueTimes.forget(NOW.plusSeconds(6))).isTrue();
    assertThat(dueTimes.untilNext(NOW.plusSeconds(6))).isNull();
  }

  /** What was fetched at its beginning was not due then. */
  @Test
  void timeThatComesDuringAPollIsNotForgotten() {
    dueTimes.add(NOW.plusMillis(10));

    dueTimes.forget(NOW);

    assertThat(dueTimes.untilNext(NOW.plusSeconds(1))).isZero();
  }

  @Test
  void pastTimesDoNoHarm() {
    assertThat(dueTimes.add(Instant.EPOCH.minusSeconds(1))).isTrue();

    assertThat(dueTimes.forget(NOW)).isTrue();
    assertThat(dueTimes.untilNext(NOW)).isNull();
  }

  @Test
  void ofTooManyTheLatestAreLeftToTheInterval() {
    for (int i = 0; i < 20_000; i++) {
      dueTimes.add(NOW.plusSeconds(i));
    }

    dueTimes.forget(NOW.plusSeconds(9_000));
    assertThat(dueTimes.untilNext(NOW.plusSeconds(9_000))).isLessThan(Duration.ofSeconds(2));
    dueTimes.forget(NOW.plusSeconds(11_000));
    assertThat(dueTimes.untilNext(NOW.plusSeconds(11_000))).isNull();
  }
}
