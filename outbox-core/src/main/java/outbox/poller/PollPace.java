package outbox.poller;

import java.time.Duration;

/**
 * Decides how long to wait after a poll: not at all while there is more, a moment while the handler
 * is busy, the interval when nothing is left. A poll that failed is tried again soon, because what
 * it failed for may be over, such as a deadlock with others: after 0.1, 0.2, 0.4 s … up to the
 * interval.
 */
final class PollPace {

  private static final Duration SHORTEST = Duration.ofMillis(2);
  private static final Duration LONGEST_WITHOUT_ROOM = Duration.ofMillis(50);
  private static final Duration AFTER_A_FAILURE = Duration.ofMillis(100);

  private final Duration interval;
  private Duration busy = SHORTEST;
  private Duration failing = AFTER_A_FAILURE;

  PollPace(Duration interval) {
    this.interval = interval;
  }

  Duration after(PollResult result) {
    Duration pause =
        switch (result) {
          case FULL -> Duration.ZERO;
          case DRAINED -> interval;
          case FAILED -> shorter(failing, interval);
          case NO_ROOM -> atMost(LONGEST_WITHOUT_ROOM); // asking again costs no statement
          case REFUSED -> atMost(interval);
        };
    boolean isBusy = result == PollResult.NO_ROOM || result == PollResult.REFUSED;
    busy = isBusy ? busy.multipliedBy(2) : SHORTEST;
    failing = result == PollResult.FAILED ? pause.multipliedBy(2) : AFTER_A_FAILURE;
    return pause;
  }

  private Duration atMost(Duration limit) {
    busy = shorter(busy, limit);
    return shorter(busy, interval);
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
