package outbox.jdbc.ordered;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import outbox.EventEnvelope;
import outbox.Outbox;
import outbox.jdbc.database.JdbcDatabase;
import outbox.ordered.OrderedRelay;

/** A process that delivers in order and writes down every call, until its input ends. */
final class OrderedNode {

  static final int WORKERS = 4;

  /** Aggregates whose events end the process that tries them. */
  static final String DEADLY = "deadly-";

  private static final Logger RELAY = Logger.getLogger(OrderedRelay.class.getName());

  private final NodeSettings settings;
  private final HistoryWriter history;

  private OrderedNode(NodeSettings settings, HistoryWriter history) {
    this.settings = settings;
    this.history = history;
  }

  public static void main(String[] arguments) throws Exception {
    NodeSettings settings = NodeSettings.parse(arguments);
    try (HikariDataSource pool = pool(settings.url());
        HistoryWriter history = new HistoryWriter(Path.of(settings.history()), settings.name())) {
      RELAY.addHandler(new LostLeases(history));
      try (Outbox outbox = new OrderedNode(settings, history).outbox(pool)) {
        outbox.start();
        System.out.println("started");
        while (System.in.read() >= 0) {}
      }
    }
  }

  private static HikariDataSource pool(String url) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(4);
    config.setMinimumIdle(1);
    return new HikariDataSource(config);
  }

  private Outbox outbox(HikariDataSource pool) {
    return Outbox.ordered()
        .database(JdbcDatabase.of(pool))
        .nodeId(settings.nodeId())
        .lease(Duration.ofMillis(settings.leaseMs()))
        .interval(Duration.ofMillis(50))
        .keepEnded()
        .dispatcher(
            dispatcher ->
                dispatcher
                    .workerCount(WORKERS)
                    .maxAttempts(settings.maxAttempts())
                    .retryPolicy(attempts -> 20))
        .listener(Aggregates.EVENT_TYPE, this::deliver)
        .build();
  }

  private void deliver(EventEnvelope event) {
    long call = history.begins(event);
    if (String.valueOf(event.aggregateId()).startsWith(DEADLY)) {
      Runtime.getRuntime().halt(1);
    }
    LockSupport.parkNanos(settings.workMicros() * 1000L);
    boolean succeeds = ThreadLocalRandom.current().nextInt(100) >= settings.failPercent();
    history.ends(call, succeeds);
    if (!succeeds) {
      throw new IllegalStateException("refused at random");
    }
  }

  /** A machine so busy that a node missed its lease is no fault of the node's. */
  private static final class LostLeases extends Handler {

    private final HistoryWriter history;

    LostLeases(HistoryWriter history) {
      this.history = history;
    }

    @Override
    public void publish(LogRecord entry) {
      if (String.valueOf(entry.getMessage()).startsWith("other nodes took over")) {
        history.lost();
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
