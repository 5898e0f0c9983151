package outbox.benchmarks.contender;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import outbox.EventEnvelope;
import outbox.Outbox;
import outbox.OutboxBuilder;
import outbox.dispatch.CompletionMode;
import outbox.jdbc.database.JdbcDatabase;
import outbox.jdbc.notify.PostgresNotifications;
import outbox.jdbc.tx.JdbcTransactionManager;
import outbox.purge.OutboxPurgeScheduler;

/** This library, through its public classes; the only place of the benchmarks that knows them. */
public final class OurOutbox implements Contender {

  /** How a node is set up. */
  public record Tuning(int batch, int queue, int workers, boolean notifies) {

    /** For backlogs and for load. */
    public static final Tuning THROUGHPUT = new Tuning(1_000, 4_000, 4, false);

    /** What one gets without asking. */
    public static final Tuning DEFAULTS = new Tuning(1_000, 2_000, 4, false);

    /** For processes of which some only write; PostgreSQL tells the others. */
    public static final Tuning RELAY = new Tuning(1_000, 4_000, 4, true);

    String title() {
      return "batchSize %d, queue capacities %d, %d workers, claims%s"
          .formatted(batch, queue, workers, notifies ? ", notifications" : "");
    }
  }

  private static final String EVENT_TYPE = "Tick";
  private static final int FILL_BATCH = 1_000;

  private final Setup setup;
  private final Tuning tuning;
  private final DataSource dataSource;
  private final JdbcDatabase database;
  private volatile Outbox outbox;

  public OurOutbox(Setup setup, Tuning tuning) {
    this.setup = setup;
    this.tuning = tuning;
    this.dataSource = setup.dataSource();
    this.database = JdbcDatabase.of(dataSource);
    this.outbox = notified(Outbox.writerOnly()).database(database).build();
    outbox.start();
  }

  @Override
  public void createTables() throws SQLException {
    BusinessTable.create(dataSource);
    database.createTable();
  }

  @Override
  public void write(long id) throws SQLException {
    try (JdbcTransactionManager.Transaction transaction = database.begin()) {
      BusinessTable.insert(database.connection(), id);
      outbox.writer().write(EventEnvelope.ofJson(EVENT_TYPE, Payload.of(id)));
      transaction.commit();
    }
  }

  @Override
  public void fill(long from, long to) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      for (long start = from; start < to; start += FILL_BATCH) {
        database
            .store()
            .insertBatch(connection, envelopes(start, Math.min(to, start + FILL_BATCH)));
        if (!connection.getAutoCommit()) {
          connection.commit();
        }
      }
    }
  }

  @Override
  public void start(EventSink sink) {
    outbox.close();
    outbox =
        notified(Outbox.multiNode())
            .database(database)
            .nodeId(setup.node())
            .listener(
                EVENT_TYPE,
                event -> sink.delivered(Payload.id(Objects.requireNonNull(event.payloadJson()))))
            .dispatcher(
                settings ->
                    settings
                        .workerCount(tuning.workers())
                        .hotQueueCapacity(tuning.queue())
                        .coldQueueCapacity(tuning.queue())
                        .completion(
                            setup.completion() == Completion.DELETE
                                ? CompletionMode.DELETE
                                : CompletionMode.MARK_DONE))
            .poller(settings -> settings.batchSize(tuning.batch()))
            .keepEnded()
            .build();
    outbox.start();
  }

  @Override
  public long pending() throws SQLException {
    return RowCount.of(dataSource, "SELECT count(*) FROM outbox_event WHERE status IN (0, 2)");
  }

  /** Puts rows there that ended {@code age} ago. */
  public void fillDone(long count, Duration age) throws SQLException {
    BusinessTable.execute(
        dataSource,
        """
        INSERT INTO outbox_event
          (event_id, event_type, payload, status, available_at, created_at, done_at)
        SELECT 'D' || i, 'Tick', '%s', 1, ended, ended, ended
        FROM generate_series(1, %d) AS i,
          (SELECT now() - INTERVAL '%d seconds' AS ended) AS age
        """
            .formatted(Payload.of(0), count, age.toSeconds()),
        "VACUUM ANALYZE outbox_event");
  }

  public long done() throws SQLException {
    return RowCount.of(
        dataSource, "SELECT count(*) FROM outbox_event WHERE status = 1 AND event_id LIKE 'D%'");
  }

  /** Deletes what ended longer ago than the retention; returns when nothing is left. */
  public void purge(Duration retention) {
    try (OutboxPurgeScheduler purger =
        OutboxPurgeScheduler.builder()
            .connectionProvider(database.connections())
            .purger(database.purger())
            .retention(retention)
            .build()) {
      purger.runOnce();
    }
  }

  @Override
  public void close() {
    outbox.close();
  }

  private <B extends OutboxBuilder<B>> B notified(B builder) {
    return tuning.notifies()
        ? builder.notifications(new PostgresNotifications(dataSource))
        : builder;
  }

  private static List<EventEnvelope> envelopes(long from, long to) {
    return LongStream.range(from, to)
        .mapToObj(id -> EventEnvelope.ofJson(EVENT_TYPE, Payload.of(id)))
        .toList();
  }
}
