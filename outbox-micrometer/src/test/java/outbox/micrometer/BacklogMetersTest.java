package outbox.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.core.instrument.distribution.pause.PauseDetector;
import io.micrometer.core.instrument.noop.NoopTimer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import outbox.BacklogReader;
import outbox.EventEnvelope;
import outbox.jdbc.DataSourceConnectionProvider;
import outbox.jdbc.schema.OutboxSchema;
import outbox.jdbc.store.H2OutboxStore;
import outbox.spi.ConnectionProvider;

class BacklogMetersTest {

  private static final BacklogOptions OFTEN =
      BacklogOptions.defaults().withInterval(Duration.ofMillis(20));

  /** What was read once stays valid for the whole test. */
  private static final BacklogOptions SELDOM =
      BacklogOptions.defaults().withInterval(Duration.ofHours(1));

  private SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final H2OutboxStore store = new H2OutboxStore();
  private final ConnectionProvider database = database();
  private final AtomicReference<ConnectionProvider> connections = new AtomicReference<>(database);
  private final AtomicInteger reads = new AtomicInteger();
  private BacklogMeters meters;

  @AfterEach
  void close() {
    if (meters != null) {
      meters.close();
    }
  }

  @Test
  void gaugesShowWhatTheTableHolds() throws SQLException {
    insert("New");
    EventEnvelope failed = insert("Failed");
    try (var connection = database.getConnection()) {
      store.markRetry(connection, failed.eventId(), Instant.parse("2020-01-01T00:00:00Z"), "e");
      store.markDead(connection, insert("Dead").eventId(), "e");
    }

    watch(SELDOM);

    until(() -> gauge("outbox.pending") == 2);
    assertThat(gauge("outbox.retrying")).isEqualTo(1);
    assertThat(gauge("outbox.locked")).isZero();
    assertThat(gauge("outbox.dead")).isEqualTo(1);
    assertThat(gauge("outbox.oldest.age")).isBetween(0.0, 60.0);
    // Recorded after the gauges show what was read.
    until(() -> registry.get("outbox.backlog.read").tag("result", "success").timer().count() > 0);
  }

  @Test
  void theAgeOfTheOldestGrowsFromWhenItWasDue() throws SQLException {
    insert("Old");
    try (var connection = database.getConnection();
        var statement = connection.createStatement()) {
      statement.execute("UPDATE outbox_event SET available_at = TIMESTAMP '2020-01-01 00:00:00'");
    }

    watch(OFTEN);

    until(() -> gauge("outbox.oldest.age") > Duration.ofDays(365).toSeconds());
  }

  @Test
  void whatCannotBeReadIsNotANumberUntilItCan() throws SQLException {
    insert("New");
    watch(OFTEN);
    until(() -> gauge("outbox.pending") == 1);

    connections.set(
        () -> {
          throw new SQLException("the database is away");
        });

    until(() -> Double.isNaN(gauge("outbox.pending")));
    for (String name : new String[] {"retrying", "locked", "dead", "oldest.age"}) {
      assertThat(gauge("outbox." + name)).as(name).isNaN();
    }
    connections.set(database);
    until(() -> gauge("outbox.pending") == 1);
  }

  private static final class RefusingRegistry extends SimpleMeterRegistry {

    @Override
    protected Timer newTimer(
        Meter.Id id, DistributionStatisticConfig config, PauseDetector pauseDetector) {
      return new NoopTimer(id) {
        @Override
        public void record(long amount, TimeUnit unit) {
          throw new IllegalStateException("the registry is broken");
        }
      };
    }
  }

  @Test
  void readingGoesOnThoughTheRegistryRefusesItsTime() throws SQLException {
    registry = new RefusingRegistry();
    connections.set(
        () -> {
          throw new SQLException("the database is away");
        });
    watch(OFTEN);
    until(() -> reads.get() > 2);

    insert("New");
    connections.set(database);

    until(() -> gauge("outbox.pending") == 1);
    insert("New");
    until(() -> gauge("outbox.pending") == 2);
  }

  @Test
  void aScrapeDoesNotWaitForADatabaseThatHangsAndSaysSo() throws Exception {
    CountDownLatch hangs = new CountDownLatch(1);
    watch(OFTEN);
    until(() -> gauge("outbox.pending") == 0);

    connections.set(
        () -> {
          try {
            hangs.await();
          } catch (InterruptedException e) {
            throw new SQLException(e);
          }
          return database.getConnection();
        });

    until(() -> Double.isNaN(gauge("outbox.pending")));
    hangs.countDown();
    until(() -> gauge("outbox.pending") == 0);
  }

  @Test
  void theTableIsReadOncePerIntervalHoweverOftenItIsScraped() {
    watch(SELDOM);
    until(() -> gauge("outbox.pending") == 0);

    for (int i = 0; i < 1000; i++) {
      gauge("outbox.pending");
      gauge("outbox.dead");
    }

    assertThat(reads).hasValue(1);
  }

  @Test
  void countingStopsAtTheLimit() throws SQLException {
    for (int i = 0; i < 5; i++) {
      insert("New");
    }

    watch(OFTEN.withCountLimit(3));

    until(() -> gauge("outbox.pending") == 3);
  }

  @Test
  void closeRemovesTheGaugesAndEndsTheReading() {
    watch(OFTEN);
    until(() -> reads.get() > 1);

    meters.close();

    assertThat(registry.find("outbox.pending").gauge()).isNull();
    await().during(Duration.ofMillis(100)).until(noMoreReads());
  }

  @Test
  void optionsThatMakeNoSenseAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OFTEN.withInterval(Duration.ZERO))
        .withMessage("interval must be positive, got: PT0S");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OFTEN.withCountLimit(0))
        .withMessage("countLimit must be at least 1, got: 0");
  }

  /** One may be under way. */
  private Callable<Boolean> noMoreReads() {
    int before = reads.get();
    return () -> reads.get() <= before + 1;
  }

  private void watch(BacklogOptions options) {
    ConnectionProvider counted =
        () -> {
          reads.incrementAndGet();
          return connections.get().getConnection();
        };
    meters =
        new MicrometerMetricsExporter(registry)
            .watch("outbox_event", new BacklogReader(counted, store), options);
  }

  private EventEnvelope insert(String type) throws SQLException {
    EventEnvelope event = EventEnvelope.ofJson(type, "{}");
    try (var connection = database.getConnection()) {
      store.insertNew(connection, event);
    }
    return event;
  }

  private double gauge(String name) {
    return registry.get(name).tag("table", "outbox_event").gauge().value();
  }

  private static ConnectionProvider database() {
    JdbcDataSource dataSource = new JdbcDataSource();
    dataSource.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    OutboxSchema.of("h2").apply(dataSource);
    return new DataSourceConnectionProvider(dataSource);
  }

  private static void until(Callable<Boolean> condition) {
    await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(5)).until(condition);
  }
}
