package outbox.dispatch;

import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import outbox.EventEnvelope;
import outbox.EventListener;
import outbox.model.OutboxEvent;
import outbox.poller.OutboxPoller;
import outbox.spi.OutboxStore;

/**
 * Delivers a million events of as many types, aggregates and tenants, of which some fail and some
 * have no listener, and exits with 0 if every one has ended. For a heap that a map by any of these
 * names would not fit into.
 */
final class ManyNames {

  private static final int EVENTS = 1_000_000;

  private ManyNames() {}

  public static void main(String[] arguments) throws Exception {
    Logger.getLogger("outbox").setLevel(Level.OFF); // a line for each that is dead
    Rows rows = new Rows();
    OutboxDispatcher dispatcher =
        OutboxDispatcher.builder()
            .connectionProvider(() -> null)
            .outboxStore(rows)
            .listenerRegistry((aggregateType, eventType) -> listener(eventType))
            .maxAttempts(1)
            .build();
    OutboxPoller.builder()
        .connectionProvider(() -> null)
        .outboxStore(rows)
        .handler(new DispatcherPollerHandler(dispatcher))
        .claimLocking(Duration.ofMinutes(5))
        .batchSize(1000)
        .intervalMs(1)
        .build()
        .start();
    boolean isComplete = rows.left.await(100, TimeUnit.SECONDS);
    System.out.println("complete=" + isComplete + " left=" + rows.left.getCount());
    System.exit(isComplete ? 0 : 1);
  }

  private static EventListener listener(String eventType) {
    return switch (eventType.charAt(eventType.length() - 1)) {
      case '8' -> null;
      case '9' ->
          event -> {
            throw new IllegalStateException("no " + event.tenantId());
          };
      default -> event -> {};
    };
  }

  /** Makes each row when it is read, once. */
  private static final class Rows implements OutboxStore {

    private final CountDownLatch left = new CountDownLatch(EVENTS);
    private final List<OutboxEvent> givenBack = new ArrayList<>();
    private int next;

    @Override
    public synchronized List<OutboxEvent> pollPending(
        Connection connection, Instant now, Duration skipRecent, int limit) {
      List<OutboxEvent> rows = new ArrayList<>(givenBack);
      givenBack.clear();
      while (next < EVENTS && rows.size() < limit) {
        rows.add(row(next++));
      }
      return rows;
    }

    @Override
    public synchronized int releaseClaims(
        Connection connection, String ownerId, Collection<String> eventIds) {
      eventIds.forEach(id -> givenBack.add(row(Integer.parseInt(id))));
      return eventIds.size();
    }

    @Override
    public int markDone(Connection connection, String eventId) {
      left.countDown();
      return 1;
    }

    @Override
    public int markDead(Connection connection, String eventId, String error) {
      return markDone(connection, eventId);
    }

    @Override
    public void insertNew(Connection connection, EventEnvelope event) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int markRetry(Connection connection, String eventId, Instant nextAt, String error) {
      throw new UnsupportedOperationException(error);
    }

    private static OutboxEvent row(int number) {
      String name = "a name of its own that is not short " + number;
      return new OutboxEvent(
          Integer.toString(number), name, name, name, name, "{}", null, 0, Instant.EPOCH);
    }
  }
}
