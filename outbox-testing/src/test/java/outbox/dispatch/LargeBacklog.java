package outbox.dispatch;

import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import outbox.EventEnvelope;
import outbox.model.OutboxEvent;
import outbox.poller.OutboxPoller;
import outbox.registry.DefaultListenerRegistry;
import outbox.spi.OutboxStore;

/**
 * Delivers a backlog of events of a megabyte each, with everything as it is by default but the
 * batch size, and exits with 0 if every event was delivered once. For a small heap.
 */
final class LargeBacklog {

  private static final int EVENTS = 400;

  private LargeBacklog() {}

  public static void main(String[] arguments) throws Exception {
    boolean claims = Boolean.parseBoolean(arguments[0]);
    Rows rows = new Rows(claims);
    AtomicInteger delivered = new AtomicInteger();
    OutboxDispatcher dispatcher =
        OutboxDispatcher.builder()
            .connectionProvider(() -> null)
            .outboxStore(rows)
            .listenerRegistry(
                new DefaultListenerRegistry()
                    .register(
                        "Large",
                        event -> {
                          LockSupport.parkNanos(2_000_000);
                          delivered.incrementAndGet();
                        }))
            .build();
    OutboxPoller.Builder poller =
        OutboxPoller.builder()
            .connectionProvider(() -> null)
            .outboxStore(rows)
            .handler(new DispatcherPollerHandler(dispatcher))
            .batchSize(500)
            .intervalMs(20);
    if (claims) {
      poller.claimLocking(Duration.ofMinutes(5));
    }
    poller.build().start();
    boolean isComplete = rows.left.await(60, TimeUnit.SECONDS);
    System.out.println("complete=" + isComplete + " delivered=" + delivered);
    System.exit(isComplete && delivered.get() == EVENTS ? 0 : 1);
  }

  /** Makes each payload when it is read, as a driver does. */
  private static final class Rows implements OutboxStore {

    private enum State {
      FREE,
      CLAIMED,
      DONE
    }

    private final State[] states = new State[EVENTS];
    private final boolean claims;
    private final CountDownLatch left = new CountDownLatch(EVENTS);

    Rows(boolean claims) {
      this.claims = claims;
      Arrays.fill(states, State.FREE);
    }

    @Override
    public synchronized List<OutboxEvent> pollPending(
        Connection connection, Instant now, Duration skipRecent, int limit) {
      List<OutboxEvent> rows = new ArrayList<>();
      for (int i = 0; i < EVENTS && rows.size() < limit; i++) {
        if (states[i] == State.FREE) {
          states[i] = claims ? State.CLAIMED : State.FREE;
          rows.add(row(i));
        }
      }
      return rows;
    }

    @Override
    public synchronized int releaseClaims(
        Connection connection, String ownerId, java.util.Collection<String> eventIds) {
      eventIds.forEach(id -> states[Integer.parseInt(id)] = State.FREE);
      return eventIds.size();
    }

    @Override
    public synchronized int markDone(Connection connection, String eventId) {
      states[Integer.parseInt(eventId)] = State.DONE;
      left.countDown();
      return 1;
    }

    @Override
    public void insertNew(Connection connection, EventEnvelope event) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int markRetry(Connection connection, String eventId, Instant nextAt, String error) {
      throw new UnsupportedOperationException(error);
    }

    @Override
    public int markDead(Connection connection, String eventId, String error) {
      throw new UnsupportedOperationException(error);
    }

    private static OutboxEvent row(int number) {
      String payload = '"' + "x".repeat(EventEnvelope.MAX_PAYLOAD_BYTES - 2) + '"';
      return new OutboxEvent(
          Integer.toString(number), "Large", null, null, null, payload, null, 0, Instant.EPOCH);
    }
  }
}
