package outbox.rabbitmq;

import static org.awaitility.Awaitility.await;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import outbox.EventEnvelope;
import outbox.Outbox;
import outbox.jdbc.database.JdbcDatabase;

/** Writes about a hundred events per second, each in a transaction, until it is closed. */
final class Load implements AutoCloseable {

  private static final Duration PAUSE = Duration.ofMillis(10);

  private final Outbox outbox;
  private final JdbcDatabase database;
  private final Set<String> written = ConcurrentHashMap.newKeySet();
  private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();

  @SuppressWarnings("FutureReturnValueIgnored") // it goes on until it is shut down
  Load(Outbox outbox, JdbcDatabase database) {
    this.outbox = outbox;
    this.database = database;
    thread.scheduleAtFixedRate(this::write, 0, PAUSE.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** The ids of those that are committed. */
  Set<String> written() {
    return written;
  }

  @Override
  public void close() {
    thread.shutdown();
    await().atMost(Duration.ofMinutes(1)).until(thread::isTerminated);
  }

  private void write() {
    EventEnvelope event = BrokerScenarios.event("OrderPlaced");
    try (var transaction = database.begin()) {
      outbox.writer().write(event);
      transaction.commit();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    written.add(event.eventId());
  }
}
