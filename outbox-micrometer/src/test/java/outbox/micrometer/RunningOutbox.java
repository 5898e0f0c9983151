package outbox.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.function.BiFunction;
import org.h2.jdbcx.JdbcDataSource;
import outbox.BacklogReader;
import outbox.EventEnvelope;
import outbox.EventListener;
import outbox.Outbox;
import outbox.jdbc.database.JdbcDatabase;
import outbox.jdbc.schema.OutboxSchema;
import outbox.spi.MetricsExporter;

/** An outbox on a database in memory whose meters are in a registry. */
final class RunningOutbox implements AutoCloseable {

  static final BacklogOptions OFTEN = BacklogOptions.defaults().withInterval(Duration.ofMillis(50));

  final JdbcDatabase database;
  final Outbox outbox;
  private final BacklogMeters backlog;

  private RunningOutbox(JdbcDatabase database, Outbox outbox, BacklogMeters backlog) {
    this.database = database;
    this.outbox = outbox;
    this.backlog = backlog;
  }

  static RunningOutbox multiNode(MeterRegistry registry, EventListener listener) {
    return start(
        registry,
        (database, metrics) ->
            Outbox.multiNode()
                .database(database)
                .metrics(metrics)
                .dispatcher(dispatcher -> dispatcher.maxAttempts(2).retryPolicy(attempts -> 1))
                .listener("OrderPlaced", listener)
                .build());
  }

  static RunningOutbox ordered(MeterRegistry registry, int partitions) {
    return start(
        registry,
        (database, metrics) ->
            Outbox.ordered()
                .database(database)
                .metrics(metrics)
                .partitions(partitions)
                .listener("OrderPlaced", event -> {})
                .build());
  }

  private static RunningOutbox start(
      MeterRegistry registry, BiFunction<JdbcDatabase, MetricsExporter, Outbox> build) {
    JdbcDatabase database = database();
    MicrometerMetricsExporter meters = new MicrometerMetricsExporter(registry);
    Outbox outbox = build.apply(database, meters.forTable("outbox_event"));
    outbox.start();
    BacklogReader reader = new BacklogReader(database.connections(), database.store());
    return new RunningOutbox(database, outbox, meters.watch("outbox_event", reader, OFTEN));
  }

  /** As the documentation shows it. */
  static RunningOutbox documented(MeterRegistry registry, EventListener listener) {
    JdbcDatabase database = database();
    // docs:begin metrics
    MicrometerMetricsExporter meters = new MicrometerMetricsExporter(registry);
    Outbox outbox =
        Outbox.multiNode()
            .database(database)
            .metrics(meters.forTable("outbox_event"))
            .listener("OrderPlaced", listener)
            .build();
    BacklogMeters backlog = // to be closed with the outbox
        meters.watch("outbox_event", new BacklogReader(database.connections(), database.store()));
    // docs:end metrics
    outbox.start();
    return new RunningOutbox(database, outbox, backlog);
  }

  private static JdbcDatabase database() {
    JdbcDataSource dataSource = new JdbcDataSource();
    dataSource.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    OutboxSchema.of("h2").apply(dataSource);
    return JdbcDatabase.of(dataSource);
  }

  void write(EventEnvelope... events) throws SQLException {
    try (var tx = database.begin()) {
      for (EventEnvelope event : events) {
        outbox.writer().write(event);
      }
      tx.commit();
    }
  }

  @Override
  public void close() {
    outbox.close();
    backlog.close();
  }
}
