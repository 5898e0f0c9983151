package outbox.destination;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import outbox.BatchResult;
import outbox.DeferException;
import outbox.EventEnvelope;

/** Puts events off, each for a while of its own, so that they don't all come back at once. */
final class Deferral {

  private static final Duration WHILE_PAUSED = Duration.ofSeconds(10);

  private final String name;
  private final Supplier<Duration> untilProbe;
  private final Tally tally;

  Deferral(String name, Supplier<Duration> untilProbe, Tally tally) {
    this.name = name;
    this.untilProbe = untilProbe;
    this.tally = tally;
  }

  void putOff(List<EventEnvelope> events, BatchResult result, Supplier<DeferException> reason) {
    tally.deferred.add(events.size());
    events.forEach(event -> result.failed(event, reason.get()));
  }

  /** No sooner than the destination asked for. */
  DeferException becauseOf(UnavailableException failure) {
    Duration least = untilProbe.get();
    Duration asked = failure.pause().orElse(Duration.ZERO);
    return after(asked.compareTo(least) > 0 ? asked : least, "destination %s is away", failure);
  }

  DeferException whileAway() {
    return after(untilProbe.get(), "destination %s is away and is asked again soon", null);
  }

  DeferException whilePaused() {
    return after(WHILE_PAUSED, "destination %s is paused; resume it", null);
  }

  DeferException afterClose() {
    return after(Duration.ZERO, "destination %s is closed", null);
  }

  DeferException forWantOfRoom() {
    return after(Duration.ZERO, "destination %s has as many events under way as it may", null);
  }

  DeferException within(Duration spread) {
    return after(spread, "destination %s has had as many events as it may per second", null);
  }

  /** Between the delay and half as much again, at least between one and two seconds. */
  private DeferException after(Duration delay, String message, @Nullable Throwable cause) {
    long least = Math.max(DeferException.SHORTEST_DELAY.toMillis(), delay.toMillis());
    long more = ThreadLocalRandom.current().nextLong(Math.max(1000, least / 2));
    return new DeferException(Duration.ofMillis(least + more), message.formatted(name), cause);
  }
}
