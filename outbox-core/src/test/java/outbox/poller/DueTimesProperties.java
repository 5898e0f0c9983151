package outbox.poller;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

class DueTimesProperties {

  @Property(tries = 1000)
  void nobodyIsWokenEarlyOrMoreThanTenMillisecondsLate(
      @ForAll @Size(min = 1, max = 20) List<@LongRange(min = -200, max = 400) Long> times,
      @ForAll @LongRange(max = 300) long now) {
    DueTimes dueTimes = new DueTimes();
    List<Long> grains = new ArrayList<>();
    for (long millis : times) {
      long grain = Math.floorDiv(millis, 10) + 1;
      boolean isFirst = grains.stream().allMatch(other -> other >= grain);
      assertThat(dueTimes.add(Instant.ofEpochMilli(millis).plusNanos(999))).isEqualTo(isFirst);
      grains.add(grain);
    }

    boolean wasDue = dueTimes.forget(Instant.ofEpochMilli(now));
    Duration next = dueTimes.untilNext(Instant.ofEpochMilli(now));

    Long first =
        grains.stream().map(g -> g * 10).filter(g -> g > now).min(Long::compare).orElse(null);
    assertThat(wasDue).isEqualTo(grains.stream().anyMatch(g -> g * 10 <= now));
    assertThat(next).isEqualTo(first == null ? null : Duration.ofMillis(first - now));
  }
}
