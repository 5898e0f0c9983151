package outbox.benchmarks.measurement;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import outbox.benchmarks.contender.Completion;
import outbox.benchmarks.contender.OurOutbox;
import outbox.benchmarks.contender.OurOutbox.Tuning;
import outbox.destination.GuardedDestination;
import outbox.kafka.KafkaDestination;
import outbox.testing.brokers.KafkaBroker;

/** Kills the broker while a backlog is on its way to it, and starts it again when that is known. */
final class KilledBroker {

  /** How long records may wait; by default that would be 20 s. */
  private static final Duration DELIVERY_TIMEOUT = Duration.ofSeconds(4);

  /** Long enough for the guard to notice, and to have left the broker alone for a while. */
  private static final Duration OUTAGE = Duration.ofSeconds(12);

  private static final double MOST = 0.9;
  private static final long GLANCE_NANOS = 200_000_000;
  private static final int GLANCES_PER_SECOND = 5;

  /**
   * What came of it.
   *
   * @param secondsUntilHalf from the moment the broker served again until half of the rate before
   * @param secondsUntilBack until the end of a second with nine tenths of it
   * @param attempts how many events have lost one
   * @param outages that the guard noticed
   */
  record Recovery(
      double secondsUntilHalf,
      double secondsUntilBack,
      long lost,
      long dead,
      long attempts,
      long outages) {}

  /** How many were delivered at some moment. */
  private record Glance(long delivered, long nanos) {

    double rateSince(Glance before) {
      return (delivered - before.delivered) * 1e9 / (nanos - before.nanos);
    }

    double secondsSince(Glance before) {
      return (nanos - before.nanos) / 1e9;
    }
  }

  private final Lab lab;
  private final int events;
  private final LongAdder delivered = new LongAdder();

  KilledBroker(Lab lab, int events) {
    this.lab = lab;
    this.events = events;
  }

  Recovery measure(Tuning tuning) throws Exception {
    KafkaBroker broker = lab.kafka();
    try (Sink sink = new Sink(broker);
        Stage stage = lab.postgres().stage();
        GuardedDestination kafka = new GuardedDestination(destination(broker, sink));
        OurOutbox outbox = new OurOutbox(stage.setup(Completion.KEEP), tuning)) {
      outbox.createTables();
      Backlog.fill(outbox, 0, events);
      stage.settle();
      Glance start = glance();
      outbox.deliverTo(new Acknowledged(kafka, delivered));
      double before = awaitDelivered(events / 4).rateSince(start);
      broker.kill();
      lab.pause(OUTAGE);
      broker.start();
      Glance served = glance();
      double half = awaitRate(before / 2, 1).secondsSince(served);
      double back = awaitRate(MOST * before, GLANCES_PER_SECOND).secondsSince(served);
      Backlog.awaitCompleted(outbox, delivered, events, lab.scale().patience());
      return new Recovery(
          half,
          back,
          sink.audit(events).lost(),
          outbox.dead(),
          attempts(stage.newPool()),
          kafka.health().outages());
    }
  }

  private static KafkaDestination destination(KafkaBroker broker, Sink sink) {
    return KafkaDestination.builder(broker.address())
        .topic(event -> sink.topic())
        .deliveryTimeout(DELIVERY_TIMEOUT)
        .build();
  }

  private Glance awaitDelivered(long count) {
    while (delivered.sum() < count) {
      LockSupport.parkNanos(GLANCE_NANOS / 100);
    }
    return glance();
  }

  /** Until that rate is seen over so many glances, or all is delivered. */
  private Glance awaitRate(double eventsPerSecond, int glances) {
    Deque<Glance> seen = new ArrayDeque<>(List.of(glance()));
    long deadline = System.nanoTime() + lab.scale().patience().toNanos();
    double rate = 0;
    while (rate < eventsPerSecond && delivered.sum() < events && System.nanoTime() - deadline < 0) {
      LockSupport.parkNanos(GLANCE_NANOS);
      seen.add(glance());
      if (seen.size() > glances) {
        rate = seen.getLast().rateSince(seen.removeFirst());
      }
    }
    return seen.getLast();
  }

  private Glance glance() {
    return new Glance(delivered.sum(), System.nanoTime());
  }

  private static long attempts(DataSource dataSource) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery("SELECT count(*) FROM outbox_event WHERE attempts > 0")) {
      rows.next();
      return rows.getLong(1);
    }
  }
}
