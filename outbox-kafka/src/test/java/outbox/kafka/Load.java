package outbox.kafka;

import static org.awaitility.Awaitility.await;

import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import outbox.EventEnvelope;
import outbox.Outbox;
import outbox.jdbc.database.JdbcDatabase;

/**
 * Writes a wave of events ten times a second until it is closed: one of each aggregate, with the
 * number of the wave, in one transaction.
 */
final class Load implements AutoCloseable {

  static final String TYPE = "OrderChanged";
  static final int KEYS = 20;

  private static final Duration PAUSE = Duration.ofMillis(100);

  private final Outbox outbox;
  private final JdbcDatabase database;
  private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
  private volatile int waves;

  @SuppressWarnings("FutureReturnValueIgnored") // it goes on until it is shut down
  Load(Outbox outbox, JdbcDatabase database) {
    this.outbox = outbox;
    this.database = database;
    thread.scheduleAtFixedRate(this::write, 0, PAUSE.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** How many are committed. */
  int waves() {
    return waves;
  }

  /** How many events that are. */
  int written() {
    return waves * KEYS;
  }

  @Override
  public void close() {
    stop();
  }

  /** Returns when nothing more is written. */
  void stop() {
    thread.shutdown();
    await().atMost(Duration.ofMinutes(1)).until(thread::isTerminated);
  }

  private void write() {
    int number = waves;
    try (var transaction = database.begin()) {
      outbox
          .writer()
          .writeAll(IntStream.range(0, KEYS).mapToObj(key -> event(key, number)).toList());
      transaction.commit();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    waves = number + 1;
  }

  private static EventEnvelope event(int key, int number) {
    return EventEnvelope.builder(TYPE)
        .aggregateType("Order")
        .aggregateId("order-" + key)
        .payloadJson(Integer.toString(number))
        .build();
  }
}
