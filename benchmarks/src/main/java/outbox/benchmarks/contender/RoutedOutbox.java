package outbox.benchmarks.contender;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.Outbox;
import outbox.RelayBuilder;
import outbox.destination.DestinationRoutes;
import outbox.jdbc.database.JdbcDatabase;
import outbox.jdbc.schema.OutboxSchema;

/**
 * This library with three destinations, one for each event type or all for one type, as one gets it
 * without asking for more.
 */
public final class RoutedOutbox implements AutoCloseable {

  /** Of which every event has one, in turn; each is also the name of its destination. */
  public static final List<String> TYPES = List.of("Alpha", "Beta", "Gamma");

  /** Of events that go to all destinations. */
  public static final String EVERYWHERE = "Everywhere";

  /** What the types of their rows for each destination begin with. */
  private static final String COPY = "outbox-to:";

  private static final int FILL_BATCH = 999;
  private static final int CLOSES_WITHIN_MS = 100;

  private final DataSource dataSource;
  private final JdbcDatabase database;
  private final boolean ordered;
  private final Keys keys;
  private @Nullable Outbox outbox;

  /**
   * An outbox with events of so many aggregates.
   *
   * @param ordered whether the events of each aggregate are delivered in order
   */
  public RoutedOutbox(Setup setup, boolean ordered, int keys) {
    this.dataSource = setup.dataSource();
    this.database = JdbcDatabase.of(dataSource);
    this.ordered = ordered;
    this.keys = new Keys(keys);
  }

  public void createTables() throws SQLException {
    OutboxSchema schema = OutboxSchema.detect(dataSource);
    (ordered ? schema : schema.unordered()).apply(dataSource);
  }

  /** Commits the events {@code from} until {@code to} for everywhere. */
  public void fillEverywhere(long from, long to) throws SQLException {
    insert(from, to, id -> EVERYWHERE);
  }

  /** Commits those of these types among the events {@code from} until {@code to}. */
  public void fill(long from, long to, List<String> types) throws SQLException {
    insert(from, to, id -> types.contains(typeOf(id)) ? typeOf(id) : null);
  }

  /** Those that have a type. */
  private void insert(long from, long to, LongFunction<@Nullable String> types)
      throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      for (long first = from; first < to; first += FILL_BATCH) {
        List<EventEnvelope> batch = new ArrayList<>(FILL_BATCH);
        for (long id = first; id < Math.min(to, first + FILL_BATCH); id++) {
          String type = types.apply(id);
          if (type != null) {
            batch.add(envelope(id, type));
          }
        }
        if (!batch.isEmpty()) {
          database.store().insertBatch(connection, batch);
        }
      }
    }
  }

  /** How many of these events are of one of these types. */
  public static long count(long events, List<String> types) {
    long each = events / TYPES.size();
    long rest = events % TYPES.size();
    return types.stream().mapToLong(type -> each + (TYPES.indexOf(type) < rest ? 1 : 0)).sum();
  }

  public void start(DestinationRoutes routes) {
    Outbox started =
        ordered
            ? relay(Outbox.ordered(), routes).build()
            : relay(Outbox.multiNode(), routes).routableOnly().build();
    outbox = started;
    routes.fanOutBy(started.writer(), database::begin);
    started.start();
  }

  /** How many events are not completed at these destinations; one for everywhere, at each. */
  public long pending(List<String> destinations) throws SQLException {
    String own = String.join("', '", destinations);
    String copies = COPY + String.join("', '" + COPY, destinations);
    return RowCount.of(
        dataSource,
        """
        SELECT coalesce(sum(CASE event_type WHEN '%s' THEN %d ELSE 1 END), 0) FROM outbox_event
         WHERE status IN (0, 2) AND event_type IN ('%s', '%s', '%s')
        """
            .formatted(EVERYWHERE, destinations.size(), EVERYWHERE, own, copies));
  }

  /** How many were tried in vain, or given up. */
  public long failed() throws SQLException {
    return RowCount.of(
        dataSource, "SELECT count(*) FROM outbox_event WHERE status = 3 OR attempts > 0");
  }

  @Override
  public void close() {
    if (outbox != null) {
      outbox.close();
    }
  }

  /** What hangs needs no time to end. */
  private <B extends RelayBuilder<B>> B relay(B builder, DestinationRoutes routes) {
    return builder
        .database(database)
        .listenerRegistry(routes)
        .dispatcher(settings -> settings.drainTimeoutMs(CLOSES_WITHIN_MS))
        .keepEnded();
  }

  private static String typeOf(long id) {
    return TYPES.get((int) (id % TYPES.size()));
  }

  private EventEnvelope envelope(long id, String type) {
    return EventEnvelope.builder(type)
        .aggregateType(type)
        .aggregateId(keys.of(id))
        .payloadJson(Payload.of(id))
        .build();
  }
}
