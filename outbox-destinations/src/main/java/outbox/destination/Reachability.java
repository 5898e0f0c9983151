package outbox.destination;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import outbox.internal.SafeLogger;

/**
 * Whether a destination is there, as far as one knows from what became of the batches that were
 * sent to it; after an outage it is given more and more at once.
 */
final class Reachability {

  private static final Duration LONGEST_SILENCE = Duration.ofSeconds(20);
  private static final Logger LOG = SafeLogger.of(GuardedDestination.class);

  private final String name;
  private final Clock spans;
  private final Room room;
  private final Tally tally;
  private final Breaker breaker;
  private volatile Instant awaySince;
  private volatile Instant silentUntil = Instant.MIN;
  private Instant answeredAt = Instant.MIN;

  Reachability(String name, GuardSettings settings, Room room, Tally tally) {
    this.name = name;
    this.spans = settings.spans();
    awaySince = spans.instant();
    this.room = room;
    this.tally = tally;
    breaker = new Breaker(name, settings, this::wentAway, this::cameBack);
  }

  /** Whoever gets true calls {@link #learn} or {@link #learnNothing} in the end. */
  boolean tryAcquire() {
    return breaker.tryAcquire();
  }

  boolean isUp() {
    return breaker.isClosed();
  }

  /** Whether a batch that came now would be sent. */
  boolean wouldTake() {
    return breaker.wouldTake();
  }

  /** It has answered nothing for so long, unless it just has, and others had to wait for that. */
  synchronized void silentFor(Duration stalled) {
    Instant now = spans.instant();
    if (answeredAt.isBefore(now.minus(stalled))) {
      Duration shorter = stalled.compareTo(LONGEST_SILENCE) < 0 ? stalled : LONGEST_SILENCE;
      silentUntil = now.plus(shorter);
    }
  }

  /** Whether it is better not to bring it more. */
  boolean isSilent() {
    return spans.instant().isBefore(silentUntil);
  }

  /** How long until the destination is asked again; zero if that is now. */
  Duration untilProbe() {
    return breaker.untilProbe();
  }

  void learn(GuardedBatch batch) {
    UnavailableException outage = batch.outage();
    if (batch.anyDelivered()) {
      isHeard();
      room.grow();
      breaker.answered();
    } else if (outage != null) {
      breaker.away(outage);
    } else if (batch.anyRefused()) {
      isHeard();
      breaker.answered();
    } else {
      breaker.unknown();
    }
    batch.pause().ifPresent(breaker::leaveAlone); // what it took besides doesn't take that back
  }

  void learnNothing() {
    breaker.unknown();
  }

  private synchronized void isHeard() {
    answeredAt = spans.instant();
    silentUntil = Instant.MIN;
  }

  private void wentAway() {
    awaySince = spans.instant();
    tally.changed();
    tally.outages.increment();
    LOG.log(
        Level.WARNING,
        "%s: destination is away; its events wait without losing attempts: lastError=%s"
            .formatted(name, tally.lastError()));
  }

  private void cameBack() {
    room.startSmall();
    Duration away = Duration.between(awaySince, spans.instant());
    tally.changed();
    LOG.log(Level.INFO, "%s: destination is back: away=%s".formatted(name, away));
  }
}
