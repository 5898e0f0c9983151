package outbox.poller;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class PollPaceTest {

  private static final Duration INTERVAL = Duration.ofSeconds(5);
  private static final Duration QUICK = Duration.ofNanos(300_000);

  private final PollPace pace = new PollPace(INTERVAL);

  @Test
  void fullBatchIsFollowedAtOnce() {
    assertThat(pace.after(PollResult.FULL, QUICK)).isZero();
  }

  @Test
  void nothingLeftWaitsForTheInterval() {
    assertThat(pace.after(PollResult.DRAINED, QUICK)).isEqualTo(INTERVAL);
  }

  @Test
  void failureIsFollowedSoonAndManyByTheInterval() {
    assertThat(pace.after(PollResult.FAILED, QUICK)).isEqualTo(Duration.ofMillis(100));
    assertThat(pace.after(PollResult.FAILED, QUICK)).isEqualTo(Duration.ofMillis(200));
    for (int i = 0; i < 20; i++) {
      pace.after(PollResult.FAILED, QUICK);
    }
    assertThat(pace.after(PollResult.FAILED, QUICK)).isEqualTo(INTERVAL);

    pace.after(PollResult.DRAINED, QUICK);
    assertThat(pace.after(PollResult.FAILED, QUICK)).isEqualTo(Duration.ofMillis(100));
  }

  @Test
  void handlerThatHasTakenTooManyIsLeftAloneForTheInterval() {
    pace.after(PollResult.SOME, QUICK);

    assertThat(pace.after(PollResult.SATED, QUICK)).isEqualTo(INTERVAL);
    assertThat(pace.after(PollResult.DRAINED, QUICK)).isEqualTo(INTERVAL);
  }

  @Test
  void pollThatFoundSomethingIsFollowedSoonAndThenMoreAndMoreSeldom() {
    assertThat(pace.after(PollResult.SOME, QUICK)).isEqualTo(Duration.ofMillis(5));
    assertThat(pace.after(PollResult.SOME, QUICK)).isEqualTo(Duration.ofMillis(5));

    assertThat(pausesUntilTheInterval())
        .containsExactly(10L, 20L, 40L, 80L, 160L, 320L, 640L, 1280L, 2560L, 5000L);
  }

  @ParameterizedTest
  @EnumSource(names = {"FULL", "NO_ROOM", "REFUSED", "FAILED"})
  void onlyAPollThatFetchedAllThereWasTellsHowQuietItIs(PollResult other) {
    pace.after(other, QUICK);
    assertThat(pace.after(PollResult.DRAINED, QUICK)).isEqualTo(INTERVAL);

    pace.after(PollResult.SOME, QUICK);
    pace.after(other, QUICK);
    assertThat(pace.after(PollResult.DRAINED, QUICK)).isEqualTo(Duration.ofMillis(10));
  }

  /** On a database where a claim takes 30 ms. */
  @Test
  void slowPollsTakeHalfOfTheTimeAtMostAndThoseInVainAFifth() {
    Duration slow = Duration.ofMillis(30);
    assertThat(pace.after(PollResult.SOME, slow)).isEqualTo(slow);

    assertThat(pace.after(PollResult.DRAINED, slow)).isEqualTo(Duration.ofMillis(120));
    assertThat(pace.after(PollResult.DRAINED, slow)).isEqualTo(Duration.ofMillis(240));
  }

  @ParameterizedTest
  @CsvSource({"1000, 9", "200, 35", "50, 100", "10, 200", "5, 210"})
  void steadyTrickleIsBoundedInPollsPerSecond(long everyMs, int atMost) {
    PollPace usual = new PollPace(Duration.ofSeconds(1));
    long lastFound = 0;
    int polls = 0;
    for (long now = 0; now < 60_000; polls++) {
      boolean isFound = now / everyMs > lastFound / everyMs;
      lastFound = isFound ? now : lastFound;
      now += usual.after(isFound ? PollResult.SOME : PollResult.DRAINED, QUICK).toMillis();
    }

    assertThat(polls / 60).isLessThanOrEqualTo(atMost);
  }

  private List<Long> pausesUntilTheInterval() {
    List<Long> pauses = new ArrayList<>();
    do {
      pauses.add(pace.after(PollResult.DRAINED, QUICK).toMillis());
    } while (pauses.get(pauses.size() - 1) < INTERVAL.toMillis());
    return pauses;
  }

  @Test
  void roomIsAskedForMoreAndMoreSeldomButOften() {
    Duration first = pace.after(PollResult.NO_ROOM, QUICK);
    Duration last = first;
    for (int i = 0; i < 20; i++) {
      Duration next = pace.after(PollResult.NO_ROOM, QUICK);
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
      last = pace.after(PollResult.REFUSED, QUICK);
    }

    assertThat(last).isEqualTo(INTERVAL);
  }

  @Test
  void progressStartsTheBackOffAnew() {
    Duration first = pace.after(PollResult.REFUSED, QUICK);
    for (int i = 0; i < 30; i++) {
      pace.after(PollResult.REFUSED, QUICK);
    }

    pace.after(PollResult.FULL, QUICK);

    assertThat(pace.after(PollResult.REFUSED, QUICK)).isEqualTo(first);
  }

  @Test
  void noPauseIsLongerThanTheInterval() {
    PollPace quick = new PollPace(Duration.ofMillis(1));

    for (PollResult result : PollResult.values()) {
      assertThat(quick.after(result, QUICK)).isLessThanOrEqualTo(Duration.ofMillis(1));
    }
  }

  @Test
  void intervalMayBeForEver() {
    Duration forEver = Duration.ofMillis(Long.MAX_VALUE);
    PollPace patient = new PollPace(forEver);

    for (PollResult result : PollResult.values()) {
      assertThat(patient.after(result, QUICK)).isBetween(Duration.ZERO, forEver);
    }
    assertThat(patient.after(PollResult.SOME, QUICK)).isEqualTo(Duration.ofMillis(5));
    assertThat(patient.after(PollResult.DRAINED, QUICK)).isEqualTo(Duration.ofMillis(10));
  }
}
