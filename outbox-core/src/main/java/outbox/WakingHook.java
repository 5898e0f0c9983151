package outbox;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import outbox.internal.HeldBack;
import outbox.spi.Claim;
import outbox.util.Nullable;

/** Wakes whoever delivers, when events are committed that don't get there by themselves. */
final class WakingHook implements WriterHook {

  private final Predicate<EventEnvelope> concerned;
  private final Runnable wake;
  private final Consumer<Instant> wakeAt;

  WakingHook(Predicate<EventEnvelope> concerned, Runnable wake, Consumer<Instant> wakeAt) {
    this.concerned = concerned;
    this.wake = wake;
    this.wakeAt = wakeAt;
  }

  @Override
  public Ending ending(List<EventEnvelope> events, @Nullable Claim claim) {
    boolean wakes = events.stream().anyMatch(concerned);
    Set<Instant> dueTimes = HeldBack.dueTimes(events);
    return new Ending() {
      @Override
      public void committed() {
        if (wakes) {
          wake.run();
          dueTimes.forEach(wakeAt);
        }
      }

      @Override
      public void rolledBack() {}
    };
  }
}
