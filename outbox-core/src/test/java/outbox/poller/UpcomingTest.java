package outbox.poller;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.model.OutboxEvent;
import outbox.registry.DefaultListenerRegistry;
import outbox.spi.EventFilter;
import outbox.spi.Fetch;
import outbox.spi.MetricsExporter;
import outbox.spi.OutboxStore;
import outbox.util.JsonCodec;
import outbox.util.Nullable;

class UpcomingTest {

  private static final Instant NOW = Instant.parse("2030-01-02T03:04:05Z");
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final AtomicLong nanos = new AtomicLong(42);
  private final List<Instant> told = new ArrayList<>();
  private final AskedStore store = new AskedStore();

  @Test
  void looksFromWhereThePollEndedUntilAfterTheNextLook() {
    Instant fetchedUntil = NOW.minusMillis(30);

    upcoming(SECOND).look(fetchedUntil);

    assertThat(store.asked).extracting(Fetch::now).containsExactly(fetchedUntil);
    assertThat(store.until).isAfter(NOW.plusSeconds(3));
  }

  @Test
  void tellsTheFirstOfThoseThatAreCloseTogether() {
    store.dueTimes =
        List.of(
            NOW, NOW.plusMillis(10), NOW.plusMillis(49), NOW.plusMillis(50), NOW.plusSeconds(1));

    upcoming(SECOND).look(NOW);

    assertThat(told).containsExactly(NOW, NOW.plusMillis(50), NOW.plusSeconds(1));
  }

  @Test
  void idleNodeMakesThreeStatementsInTwoSeconds() {
    Upcoming upcoming = upcoming(SECOND);
    int polls = 60;

    for (int i = 0; i < polls; i++) {
      assertThat(upcoming.look(NOW)).isEqualTo(SECOND);
      nanos.addAndGet(SECOND.toNanos());
    }

    assertThat(polls + store.asked.size()).isEqualTo(90);
  }

  @Test
  void pollsThatFollowEachOtherSoonAreNotAllFollowedByALook() {
    Upcoming upcoming = upcoming(SECOND);

    for (int i = 0; i < 1000; i++) {
      upcoming.look(NOW);
      nanos.addAndGet(Duration.ofMillis(5).toNanos());
    }

    assertThat(store.asked).hasSize(4);
  }

  @Test
  void longIntervalIsCutShortForALookThatWasTooEarly() {
    Upcoming upcoming = upcoming(Duration.ofMinutes(1));
    assertThat(upcoming.look(NOW)).isEqualTo(Duration.ofMinutes(1));
    nanos.addAndGet(SECOND.toNanos());

    Duration next = upcoming.look(NOW);

    assertThat(next).isEqualTo(Duration.ofMillis(250));
    nanos.addAndGet(next.toNanos());
    assertThat(upcoming.look(NOW)).isEqualTo(Duration.ofMinutes(1));
    assertThat(store.asked).hasSize(2);
  }

  @Test
  void intervalMayBeForEver() {
    Duration forEver = Duration.ofMillis(Long.MAX_VALUE);

    assertThat(upcoming(forEver).look(NOW)).isEqualTo(forEver);
    assertThat(store.until).isAfter(NOW.plus(Duration.ofDays(3000)));
  }

  @Test
  void shortIntervalNeedsNoLook() {
    assertThat(upcoming(Duration.ofMillis(99)).look(NOW)).isEqualTo(Duration.ofMillis(99));

    assertThat(store.asked).isEmpty();
  }

  @Test
  void failedLookIsLeftToTheInterval() {
    store.failure = new IllegalStateException("not now");

    assertThat(upcoming(SECOND).look(NOW)).isEqualTo(SECOND);

    assertThat(store.asked).hasSize(1);
    assertThat(told).isEmpty();
  }

  @Test
  void asksForWhatThePollerWants() {
    EventFilter filter = EventFilter.ALL.withEventTypes(Set.of("T"));

    upcoming(SECOND, store, new Wanted(() -> filter, null)).look(NOW);
    upcoming(SECOND, store, new Wanted(() -> filter, new DefaultListenerRegistry())).look(NOW);

    assertThat(store.asked).extracting(Fetch::filter).containsExactly(filter);
  }

  @Test
  void storeThatCannotTellIsNoTrouble() {
    Upcoming upcoming =
        upcoming(SECOND, new SpecifiedStore(), new Wanted(() -> EventFilter.ALL, null));

    assertThat(upcoming.look(NOW)).isEqualTo(SECOND);

    assertThat(told).isEmpty();
  }

  private Upcoming upcoming(Duration interval) {
    return upcoming(interval, store, new Wanted(() -> EventFilter.ALL, null));
  }

  private Upcoming upcoming(Duration interval, OutboxStore on, Wanted wanted) {
    PollerSettings settings =
        new PollerSettings(
            () -> null,
            on,
            (event, attempts) -> true,
            Duration.ZERO,
            10,
            interval,
            MetricsExporter.NOOP,
            null,
            JsonCodec.getDefault(),
            wanted,
            Clock.fixed(NOW, ZoneOffset.UTC));
    return new Upcoming(settings, nanos::get, told::add);
  }

  /** Has what a store must have. */
  private static class SpecifiedStore implements OutboxStore {

    @Override
    public void insertNew(Connection connection, EventEnvelope event) {}

    @Override
    public int markDone(Connection connection, String eventId) {
      return 0;
    }

    @Override
    public int markRetry(
        Connection connection, String eventId, Instant nextAt, @Nullable String error) {
      return 0;
    }

    @Override
    public int markDead(Connection connection, String eventId, @Nullable String error) {
      return 0;
    }

    @Override
    public List<OutboxEvent> pollPending(
        Connection connection, Instant now, Duration skipRecent, int limit) {
      return List.of();
    }
  }

  private static final class AskedStore extends SpecifiedStore {

    private final List<Fetch> asked = new ArrayList<>();
    private List<Instant> dueTimes = List.of();
    private Instant until = Instant.MIN;
    private @Nullable RuntimeException failure;

    @Override
    public List<Instant> dueTimes(Connection connection, Fetch later, Instant until) {
      asked.add(later);
      this.until = until;
      if (failure != null) {
        throw failure;
      }
      return dueTimes;
    }
  }
}
