package outbox.webhook;

import static org.awaitility.Awaitility.await;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.h2.jdbcx.JdbcConnectionPool;
import outbox.EventEnvelope;
import outbox.Outbox;
import outbox.destination.GuardedDestination;
import outbox.jdbc.database.JdbcDatabase;
import outbox.model.EventStatus;

/** An outbox with a database of its own, and what it has written. */
final class Shop implements AutoCloseable {

  static final String TYPE = "OrderPlaced";
  private static final Duration PAUSE = Duration.ofMillis(10);

  private final JdbcConnectionPool dataSource =
      JdbcConnectionPool.create(
          "jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1".formatted(UUID.randomUUID()), "sa", "");
  private final Set<String> written = ConcurrentHashMap.newKeySet();
  private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
  private final GuardedDestination guard;
  private final JdbcDatabase database;
  private final Outbox outbox;

  Shop(WebhookDestination destination) {
    guard = new GuardedDestination(destination);
    database = JdbcDatabase.of(dataSource).createTable();
    outbox = Outbox.singleNode().database(database).listener(TYPE, guard).keepEnded().build();
    outbox.start();
  }

  /** In a transaction of its own. */
  EventEnvelope write(String aggregateId) {
    EventEnvelope event =
        EventEnvelope.builder(TYPE).aggregateId(aggregateId).payloadJson("{}").build();
    try (var transaction = database.begin()) {
      outbox.writer().write(event);
      transaction.commit();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    written.add(event.eventId());
    return event;
  }

  /** About a hundred events per second, until {@link #stopWriting}. */
  @SuppressWarnings("FutureReturnValueIgnored") // it goes on until it is shut down
  void startWriting() {
    thread.scheduleAtFixedRate(
        () -> write("order-" + written.size()), 0, PAUSE.toMillis(), TimeUnit.MILLISECONDS);
  }

  void stopWriting() {
    thread.shutdown();
    await().atMost(Duration.ofMinutes(1)).until(thread::isTerminated);
  }

  /** The ids of what is committed. */
  Set<String> written() {
    return written;
  }

  int count(EventStatus status) throws SQLException {
    return query("SELECT COUNT(*) FROM outbox_event WHERE status = " + status.code());
  }

  int mostAttempts() throws SQLException {
    return query("SELECT MAX(attempts) FROM outbox_event");
  }

  @Override
  public void close() {
    stopWriting();
    outbox.close();
    guard.close();
    dataSource.dispose();
  }

  private int query(String sql) throws SQLException {
    try (var transaction = database.begin();
        var statement = database.connection().createStatement();
        var result = statement.executeQuery(sql)) {
      result.next();
      int value = result.getInt(1);
      transaction.commit();
      return value;
    }
  }
}
