package outbox.poller;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import outbox.model.EventKind;
import outbox.model.OutboxEvent;
import outbox.spi.Fetched;

class OmissionsTest {

  private static final EventKind PLACED = new EventKind("Order", "Placed");
  private static final Demand ALL = Demand.of(10);
  private static final Demand OTHERS = new Demand(10, 10, Set.of(PLACED), 10);

  private final AtomicLong nanos = new AtomicLong();
  private final Omissions omissions = new Omissions(new Scan(nanos::get), nanos::get);

  @Test
  void searchForOthersRestsForAMultipleOfWhatItTookInVain() {
    omissions.follow(OTHERS);
    nanos.addAndGet(Duration.ofMillis(10).toNanos());
    omissions.fetched(0);

    assertThat(omissions.rests(OTHERS)).isTrue();
    assertThat(omissions.rests(ALL)).isFalse();
    nanos.addAndGet(Duration.ofMillis(40).toNanos());
    assertThat(omissions.rests(OTHERS)).isFalse();
  }

  @Test
  void searchThatFindsSomethingGoesOn() {
    omissions.follow(OTHERS);
    nanos.addAndGet(Duration.ofMillis(10).toNanos());

    omissions.fetched(1);

    assertThat(omissions.rests(OTHERS)).isFalse();
  }

  @Test
  void storeThatLeavesNothingOutShowsByWhatItFinds() {
    omissions.follow(OTHERS);
    assertThat(omissions.areIgnored(row("Order", "Placed"))).isTrue();
    assertThat(omissions.areIgnored(row("Cart", "Placed"))).isFalse();
    assertThat(omissions.areIgnored(row(null, "Placed"))).isFalse();

    omissions.follow(ALL);

    assertThat(omissions.areIgnored(row("Order", "Placed"))).isFalse();
  }

  private static Fetched row(String aggregateType, String eventType) {
    OutboxEvent event =
        new OutboxEvent("id", eventType, aggregateType, null, null, "{}", null, 0, Instant.EPOCH);
    return new Fetched(event, Instant.EPOCH, false);
  }
}
