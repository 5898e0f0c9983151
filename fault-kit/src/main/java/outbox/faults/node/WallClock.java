package outbox.faults.node;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicReference;

/** This machine's clock, as far off as settings and switches say; tells when that has changed. */
final class WallClock extends Clock {

  private static final String RIGHT = Duration.ZERO.toString();

  private final NodeSettings settings;
  private final Switches switches;
  private final AtomicReference<Duration> last = new AtomicReference<>(Duration.ZERO);

  WallClock(NodeSettings settings, Switches switches) {
    this.settings = settings;
    this.switches = switches;
  }

  @Override
  public Instant instant() {
    Duration offset = offset();
    if (!offset.equals(last.getAndSet(offset))) {
      System.err.println("clock is off by " + offset);
    }
    return Instant.now().plus(offset);
  }

  private Duration offset() {
    return settings
        .clock()
        .plus(Duration.parse(switches.value(Switches.CLOCK, RIGHT)))
        .plus(Duration.parse(switches.value(Switches.clockOf(settings.name()), RIGHT)));
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    throw new UnsupportedOperationException("a node's clock must show UTC, got: " + zone);
  }
}
