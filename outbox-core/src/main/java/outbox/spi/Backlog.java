package outbox.spi;

import java.time.Duration;
import java.time.Instant;
import outbox.util.Nullable;

/**
 * What a table holds that has not been delivered, counted up to a limit so that it costs little
 * however much there is: a count that has reached the limit means "that many or more".
 *
 * <p>The first in the order of claims are looked at, up to the limit, where that is cheaper of NEW
 * and of RETRY each: how many of them are locked or to be tried again, and since when the one that
 * is late for the longest waits.
 *
 * @param pending NEW and RETRY, those included that are held back until later
 * @param retrying RETRY: tried and failed, and to be tried again
 * @param locked claimed by a node, dead ones' claims included
 * @param dead DEAD
 * @param lateSince when the oldest could have been delivered, as {@link Fetched#lateSince} has it;
 *     null if nothing is pending
 * @param readAt when this was so, by the database's clock
 */
public record Backlog(
    int pending, int retrying, int locked, int dead, @Nullable Instant lateSince, Instant readAt) {

  /** How long the oldest waits; zero if nothing is late. */
  public Duration oldestAge() {
    Duration age = lateSince == null ? Duration.ZERO : Duration.between(lateSince, readAt);
    return age.isNegative() ? Duration.ZERO : age;
  }
}
