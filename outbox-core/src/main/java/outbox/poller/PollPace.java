package outbox.poller;

import java.time.Duration;

/**
 * Decides how long to wait after a poll: not at all while there is more, a moment while the handler
 * is busy, and a moment, too, when all was fetched, because where something came from there may be
 * more. That one doubles with each poll that finds nothing: 5, 10, 20 ms … up to the interval. A
 * poll that failed is tried again soon, because what it failed for may be over, such as a deadlock
 * with others: after 0.1, 0.2, 0.4 s … up to the interval.
 *
 * <p>So a poll that found something is followed by at most eight in vain with an interval of a
 * second, and ten with one of five. Where polls take long, those that find something take half of
 * the time at most, and those in vain a fifth.
 */
final class PollPace {

  private static final Duration SHORTEST = Duration.ofMillis(2);
  private static final Duration LONGEST_WITHOUT_ROOM = Duration.ofMillis(50);
  private static final Duration AFTER_A_FAILURE = Duration.ofMillis(100);
  private static final Duration SOON = Duration.ofMillis(5);

  /** How many times what a poll in vain took is waited after it. */
  private static final int REST = 4;

  private final Duration interval;
  private Duration busy = SHORTEST;
  private Duration failing = AFTER_A_FAILURE;
  private Duration quiet;

  PollPace(Duration interval) {
    this.interval = interval;
    quiet = interval;
  }

  /**
   * @param took how long the poll was under way
   */
  Duration after(PollResult result, Duration took) {
    quiet = shorter(quietAfter(result, took), interval);
    Duration pause =
        switch (result) {
          case FULL -> Duration.ZERO;
          case SOME, DRAINED, SATED -> quiet;
          case FAILED -> shorter(failing, interval);
          case NO_ROOM -> atMost(LONGEST_WITHOUT_ROOM); // asking again costs no statement
          case REFUSED -> atMost(interval);
        };
    boolean isBusy = result == PollResult.NO_ROOM || result == PollResult.REFUSED;
    busy = isBusy ? busy.multipliedBy(2) : SHORTEST;
    failing = result == PollResult.FAILED ? pause.multipliedBy(2) : AFTER_A_FAILURE;
    return pause;
  }

  /** Only a poll that fetched all there was tells how quiet it is. */
  private Duration quietAfter(PollResult result, Duration took) {
    return switch (result) {
      case SOME -> longer(SOON, took);
      case DRAINED -> longer(quiet.multipliedBy(2), took.multipliedBy(REST));
      case SATED -> interval;
      case FULL, NO_ROOM, REFUSED, FAILED -> quiet;
    };
  }

  private Duration atMost(Duration limit) {
    busy = shorter(busy, limit);
    return shorter(busy, interval);
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }
}
