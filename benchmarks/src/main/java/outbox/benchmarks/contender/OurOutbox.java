package outbox.benchmarks.contender;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.EventHeaders;
import outbox.EventListener;
import outbox.NonRetryableException;
import outbox.Outbox;
import outbox.OutboxBuilder;
import outbox.RelayBuilder;
import outbox.dispatch.CompletionMode;
import outbox.dispatch.OutboxDispatcher;
import outbox.jdbc.database.JdbcDatabase;
import outbox.jdbc.notify.PostgresNotifications;
import outbox.jdbc.schema.OutboxSchema;
import outbox.jdbc.tx.JdbcTransactionManager;
import outbox.purge.OutboxPurgeScheduler;

/** This library, through its public classes; the only place of the benchmarks that knows them. */
public final class OurOutbox implements Contender {

  /**
   * How a node is set up.
   *
   * @param ordered whether the events of each aggregate are delivered in order
   * @param keys of how many aggregates the events are; 0: of none
   */
  public record Tuning(
      int batch, Room room, int workers, boolean notifies, boolean ordered, int keys) {

    /** For backlogs and for load. */
    public static final Tuning THROUGHPUT = new Tuning(1_000, Room.of(4_000), 4, false, false, 0);

    /** What one gets without asking. */
    public static final Tuning DEFAULTS = new Tuning(1_000, Room.of(2_000), 4, false, false, 0);

    /** For processes of which some only write; PostgreSQL tells the others. */
    public static final Tuning RELAY = new Tuning(1_000, Room.of(4_000), 4, true, false, 0);

    /** The same with another room for events. */
    public Tuning within(Room other) {
      return new Tuning(batch, other, workers, notifies, ordered, keys);
    }

    /** The same for events of so many aggregates. */
    public Tuning ofKeys(int number) {
      return new Tuning(batch, room, workers, notifies, ordered, number);
    }

    /** The same in order per aggregate. */
    public Tuning inOrder() {
      return new Tuning(batch, room, workers, notifies, true, keys);
    }

    String title() {
      return "batchSize %d, %s, %d workers, %s%s"
          .formatted(
              batch,
              room.title(),
              workers,
              ordered ? "in order per aggregate" : "claims",
              notifies ? ", notifications" : "");
    }
  }

  /**
   * How many events a node takes into its memory.
   *
   * @param bytes of all of them together; 0: what one gets without asking
   */
  public record Room(int hotQueue, int coldQueue, long bytes) {

    static Room of(int queues) {
      return new Room(queues, queues, 0);
    }

    String title() {
      return hotQueue == coldQueue
          ? "queue capacities " + coldQueue
          : "queue capacities %d hot, %d cold".formatted(hotQueue, coldQueue);
    }

    OutboxDispatcher.Builder set(OutboxDispatcher.Builder settings) {
      settings.hotQueueCapacity(hotQueue).coldQueueCapacity(coldQueue);
      return bytes == 0 ? settings : settings.queueBytes(bytes);
    }
  }

  private static final String EVENT_TYPE = "Tick";
  private static final String AGGREGATE_TYPE = "Purchase";
  private static final String BLOCKED_KEY = "blocked";
  private static final int FILL_BATCH = 1_000;
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final long GLANCE_NANOS = 10_000_000;

  private final Setup setup;
  private final Tuning tuning;
  private final DataSource dataSource;
  private final JdbcDatabase database;
  private final Keys keys;
  private final @Nullable Traffic traffic;
  private volatile Outbox outbox;
  private volatile int blocked;

  public OurOutbox(Setup setup, Tuning tuning) {
    this(setup, tuning, null);
  }

  /** With somebody who watches what it delivers. */
  public OurOutbox(Setup setup, Tuning tuning, @Nullable Traffic traffic) {
    this.setup = setup;
    this.tuning = tuning;
    this.traffic = traffic;
    this.dataSource = setup.dataSource();
    this.database = JdbcDatabase.of(dataSource);
    this.keys = new Keys(tuning.keys());
    this.outbox = notified(Outbox.writerOnly()).database(database).build();
    outbox.start();
  }

  @Override
  public void createTables() throws SQLException {
    BusinessTable.create(dataSource);
    OutboxSchema schema = OutboxSchema.detect(dataSource);
    (tuning.ordered() ? schema : schema.unordered()).apply(dataSource);
  }

  @Override
  public void write(long id) throws SQLException {
    try (JdbcTransactionManager.Transaction transaction = database.begin()) {
      BusinessTable.insert(database.connection(), id);
      outbox.writer().write(envelope(id, keys.of(id)));
      transaction.commit();
    }
  }

  /** Commits one business row and the events {@code from} until {@code to} in one transaction. */
  public void writeAll(long from, long to) throws SQLException {
    try (JdbcTransactionManager.Transaction transaction = database.begin()) {
      BusinessTable.insert(database.connection(), from);
      outbox
          .writer()
          .writeAll(LongStream.range(from, to).mapToObj(id -> envelope(id, keys.of(id))).toList());
      transaction.commit();
    }
  }

  @Override
  public void fill(long from, long to) throws SQLException {
    insert(LongStream.range(from, to).mapToObj(id -> envelope(id, keys.of(id))).iterator());
  }

  @Override
  public void start(EventSink sink) {
    deliverTo(
        tuning.ordered()
            ? event -> deliverInOrder(event, sink)
            : event -> sink.delivered(id(event)));
  }

  /** Starts to deliver to a listener that is more than a sink. */
  public void deliverTo(EventListener listener) {
    outbox.close();
    outbox =
        tuning.ordered()
            ? relay(Outbox.ordered(), listener)
                .nodeId(setup.node())
                .batchSize(tuning.batch())
                .build()
            : relay(Outbox.multiNode(), listener)
                .nodeId(setup.node())
                .poller(settings -> settings.batchSize(tuning.batch()))
                .build();
    outbox.start();
  }

  private <B extends RelayBuilder<B>> B relay(B builder, EventListener listener) {
    return watched(notified(builder).database(database))
        .listener(EVENT_TYPE, listener)
        .dispatcher(
            settings ->
                tuning
                    .room()
                    .set(settings)
                    .workerCount(tuning.workers())
                    .asyncInFlight(tuning.room().coldQueue())
                    .completion(
                        setup.completion() == Completion.DELETE
                            ? CompletionMode.DELETE
                            : CompletionMode.MARK_DONE))
        .keepEnded();
  }

  private void deliverInOrder(EventEnvelope event, EventSink sink) {
    long id = id(event);
    keys.delivered(id, Long.parseLong(event.headers().getOrDefault(EventHeaders.SEQUENCE, "0")));
    sink.delivered(id);
  }

  /** How many came after a later event of their aggregate, or twice. */
  public long misplaced() {
    return keys.misplaced();
  }

  @Override
  public long pending() throws SQLException {
    return RowCount.of(dataSource, "SELECT count(*) FROM outbox_event WHERE status IN (0, 2)")
        - blocked;
  }

  /** How many were given up. */
  public long dead() throws SQLException {
    return RowCount.of(dataSource, "SELECT count(*) FROM outbox_event WHERE status = 3");
  }

  /** Puts an aggregate there whose first event is dead; the others wait for an operator. */
  public void fillBlocked(int events) throws SQLException {
    insert(Stream.of(envelope(0, BLOCKED_KEY)).iterator());
    buryHead();
    blocked = events - 1;
    insert(LongStream.range(1, events).mapToObj(id -> envelope(id, BLOCKED_KEY)).iterator());
  }

  private void buryHead() {
    EventListener failing =
        event -> {
          throw new NonRetryableException("the benchmark blocks an aggregate");
        };
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    try (Outbox failed = relay(Outbox.ordered(), failing).build()) {
      failed.start();
      while (failed.blockedKeys().list(1).isEmpty()) {
        if (System.nanoTime() - deadline > 0) {
          throw new IllegalStateException("the event was not buried within " + PATIENCE);
        }
        LockSupport.parkNanos(GLANCE_NANOS);
      }
    }
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

  private <B extends RelayBuilder<B>> B watched(B builder) {
    return traffic == null
        ? builder
        : builder.metrics(traffic).store(traffic.watching(database.store()));
  }

  private void insert(Iterator<EventEnvelope> events) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      while (events.hasNext()) {
        List<EventEnvelope> batch = new ArrayList<>(FILL_BATCH);
        while (events.hasNext() && batch.size() < FILL_BATCH) {
          batch.add(events.next());
        }
        database.store().insertBatch(connection, batch);
        if (!connection.getAutoCommit()) {
          connection.commit();
        }
      }
    }
  }

  private static EventEnvelope envelope(long id, @Nullable String key) {
    EventEnvelope.Builder event = EventEnvelope.builder(EVENT_TYPE).payloadJson(Payload.of(id));
    return key == null
        ? event.build()
        : event.aggregateType(AGGREGATE_TYPE).aggregateId(key).build();
  }

  private static long id(EventEnvelope event) {
    return Payload.id(Objects.requireNonNull(event.payloadJson()));
  }
}
