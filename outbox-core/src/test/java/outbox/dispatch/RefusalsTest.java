package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.internal.EventSize;
import outbox.spi.Claim;
import outbox.spi.Outcome;

class RefusalsTest {

  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1000); // it may overflow
  private final Refusals refusals = new Refusals(Long.MAX_VALUE, nanos::get);

  @Test
  void areTriedAfterAMinute() {
    Completion refused = completion(null);
    assertThat(refusals.untilNextNanos()).isEqualTo(Long.MAX_VALUE);

    assertThat(refusals.keep(refused)).isTrue();

    assertThat(refusals.untilNextNanos()).isEqualTo(Duration.ofMinutes(1).toNanos());
    assertThat(refusals.due()).isEmpty();
    nanos.addAndGet(Duration.ofMinutes(1).toNanos());
    assertThat(refusals.untilNextNanos()).isZero();
    assertThat(refusals.due()).containsExactly(refused);
  }

  @Test
  void areTriedAgainAMinuteLater() {
    refusals.keep(completion(null));
    nanos.addAndGet(Duration.ofMinutes(2).toNanos());

    refusals.keep(refusals.due().removeFirst());

    assertThat(refusals.due()).isEmpty();
    assertThat(refusals.untilNextNanos()).isEqualTo(Duration.ofMinutes(1).toNanos());
  }

  @Test
  void areAllThereWhetherTheirTimeHasComeOrNot() {
    refusals.keep(completion(null));
    nanos.addAndGet(Duration.ofMinutes(1).toNanos());
    refusals.due();
    refusals.keep(completion(null));

    assertThat(refusals.all()).hasSize(2);
  }

  @Test
  void eventThatOthersTakeOverIsNotKept() {
    Claim claim = Claim.starting("node", Clock.systemUTC(), Duration.ofMinutes(1));

    assertThat(refusals.keep(completion(new Lease(claim, false)))).isFalse();
  }

  @Test
  void tryThatWasNotMadeIsNotKept() {
    Delivery delivery = completion(null).delivery();

    assertThat(refusals.keep(new Completion(delivery, new Outcome.Released()))).isFalse();
    assertThat(refusals.keep(new Completion(delivery, new Outcome.Deferred(0, Instant.EPOCH))))
        .isFalse();
  }

  @Test
  void noMoreAreKeptThanMemoryBears() {
    for (int i = 0; i < Refusals.MOST; i++) {
      assertThat(refusals.keep(completion(null))).isTrue();
    }

    assertThat(refusals.keep(completion(null))).isFalse();
  }

  @Test
  void theirEventsLeaveMemoryToOthers() {
    Completion refused = completion(null);
    long size = EventSize.of(refused.delivery().envelope());
    Refusals few = new Refusals(2 * size, nanos::get);

    assertThat(few.keep(refused)).isTrue();
    assertThat(few.keep(completion(null))).isTrue();
    assertThat(few.keep(completion(null))).isFalse();
    nanos.addAndGet(Duration.ofMinutes(1).toNanos());
    few.due().removeFirst();

    assertThat(few.keep(completion(null))).isTrue();
    assertThat(few.keep(completion(null))).isFalse();
  }

  private static Completion completion(Lease lease) {
    QueuedEvent event =
        new QueuedEvent(EventEnvelope.ofJson("T", "{}"), QueuedEvent.Source.COLD, 0);
    return new Completion(
        new Delivery(event, InFlight.Hold.NONE, lease), new Outcome.Delivered(false));
  }
}
