package outbox.poller;

import java.time.Duration;

/**
 * Decides how long to wait after a poll: not at all while there is more, a moment while the handler
 * is busy, the interval when nothing is left.
 */
final class PollPace {

  private static final Duration SHORTEST = Duration.ofMillis(2);
  private static final Duration LONGEST_WITHOUT_ROOM = Duration.ofMillis(50);

  private final Duration interval;
  private Duration busy = SHORTEST;

  PollPace(Duration interval) {
    this.interval = interval;
  }

  Duration after(PollResult result) {
    Duration pause =
        switch (result) {
          case FULL -> Duration.ZERO;
          case DRAINED, FAILED -> interval;
          case NO_ROOM -> atMost(LONGEST_WITHOUT_ROOM); // asking again costs no statement
          case REFUSED -> atMost(interval);
        };
    boolean isBusy = result == PollResult.NO_ROOM || result == PollResult.REFUSED;
    busy = isBusy ? busy.multipliedBy(2) : SHORTEST;
    return pause;
  }

  private Duration atMost(Duration limit) {
    busy = busy.compareTo(limit) > 0 ? limit : busy;
    return busy.compareTo(interval) > 0 ? interval : busy;
  }
}
