package outbox.destination;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.internal.ErrorText;
import outbox.internal.PayloadMask;

/** What a guard counts and remembers. */
final class Tally {

  /** So that it takes no time to look for the payloads of a large batch in it. */
  private static final int LONGEST_MESSAGE = 1000;

  private record Trouble(String text, Instant at) {}

  final LongAdder delivered = new LongAdder();
  final LongAdder failed = new LongAdder();
  final LongAdder deferred = new LongAdder();
  final LongAdder outages = new LongAdder();
  private final Clock clock;
  private volatile Instant since;
  private volatile @Nullable Trouble last;

  Tally(Clock clock) {
    this.clock = clock;
    since = clock.instant();
  }

  /** Another state has begun. */
  void changed() {
    since = clock.instant();
  }

  /**
   * @param events those that the failure may quote; health and logs tell no payload
   */
  void failed(Throwable failure, List<EventEnvelope> events) {
    UnaryOperator<String> mask = PayloadMask.of(events);
    String text =
        ErrorText.of(failure, message -> mask.apply(ErrorText.truncate(message, LONGEST_MESSAGE)));
    last = new Trouble(ErrorText.harmless(text), clock.instant());
  }

  String lastError() {
    Trouble trouble = last;
    return trouble == null ? "nothing is known" : trouble.text();
  }

  DestinationHealth health(String name, DestinationHealth.State state, int inFlight) {
    Trouble trouble = last;
    return new DestinationHealth(
        name,
        state,
        since,
        trouble == null ? null : trouble.text(),
        trouble == null ? null : trouble.at(),
        inFlight,
        delivered.sum(),
        failed.sum(),
        deferred.sum(),
        outages.sum());
  }
}
