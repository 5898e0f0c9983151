package outbox.benchmarks.measurement;

import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import outbox.benchmarks.contender.Completion;
import outbox.benchmarks.contender.OurOutbox;
import outbox.benchmarks.contender.OurOutbox.Tuning;
import outbox.destination.GuardedDestination;
import outbox.kafka.KafkaDestination;
import outbox.testing.brokers.KafkaBroker;

/** Kills the broker while a backlog is on its way to it, and starts it again. */
final class KilledBroker {

  private static final Duration OUTAGE = Duration.ofSeconds(5);
  private static final long GLANCE_NANOS = 200_000_000;

  /**
   * What came of it.
   *
   * @param secondsUntilBack from the moment the broker served again until half of the rate before
   */
  record Recovery(double secondsUntilBack, long lost, long dead) {}

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
        GuardedDestination kafka =
            new GuardedDestination(
                KafkaDestination.builder(broker.address()).topic(event -> sink.topic()).build());
        OurOutbox outbox = new OurOutbox(stage.setup(Completion.KEEP), tuning)) {
      outbox.createTables();
      Backlog.fill(outbox, 0, events);
      stage.settle();
      outbox.deliverTo(new Acknowledged(kafka, delivered));
      double before = rateUntil(events / 4);
      broker.kill();
      lab.pause(OUTAGE);
      broker.start();
      double seconds = secondsUntil(before / 2);
      Backlog.awaitCompleted(outbox, delivered, events, lab.scale().patience());
      return new Recovery(seconds, sink.audit(events).lost(), outbox.dead());
    }
  }

  private double rateUntil(long count) {
    long started = System.nanoTime();
    while (delivered.sum() < count) {
      LockSupport.parkNanos(GLANCE_NANOS / 100);
    }
    return delivered.sum() * 1e9 / (System.nanoTime() - started);
  }

  /** Until that rate is seen between two glances, or all is delivered. */
  private double secondsUntil(double eventsPerSecond) {
    long started = System.nanoTime();
    long patience = lab.scale().patience().toNanos();
    double rate = 0;
    while (rate < eventsPerSecond
        && delivered.sum() < events
        && System.nanoTime() - started < patience) {
      long seen = delivered.sum();
      long since = System.nanoTime();
      LockSupport.parkNanos(GLANCE_NANOS);
      rate = (delivered.sum() - seen) * 1e9 / (System.nanoTime() - since);
    }
    return (System.nanoTime() - started) / 1e9;
  }
}
