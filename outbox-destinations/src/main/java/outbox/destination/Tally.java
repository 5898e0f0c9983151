package outbox.destination;

import java.time.Clock;
import java.time.Instant;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import outbox.internal.ErrorText;

/** What a guard counts and remembers. */
final class Tally {

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

  Instant since() {
    return since;
  }

  void failed(Throwable failure) {
    last = new Trouble(ErrorText.harmless(ErrorText.of(failure)), clock.instant());
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
