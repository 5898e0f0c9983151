package outbox.jdbc;

import java.sql.DriverManager;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import outbox.EventListener;
import outbox.Outbox;
import outbox.RelayBuilder;
import outbox.jdbc.store.JdbcOutboxStores;
import outbox.jdbc.tx.ThreadLocalTxContext;
import outbox.registry.DefaultListenerRegistry;

/**
 * Delivers events from the database of its first argument, in the way of its second, until there
 * were as many as its third says, and exits with 0 if each came once. Without order it has no
 * second look at what it took for empty.
 */
final class MixedSizesRelay {

  static final String TYPE = "Mixed";

  private static final long NEVER_MS = Duration.ofHours(1).toMillis();

  /** How events are read. */
  enum Kind {
    CLAIMED,
    POLLED,
    ORDERED
  }

  private MixedSizesRelay() {}

  public static void main(String[] arguments) throws Exception {
    String url = arguments[0];
    CountDownLatch left = new CountDownLatch(Integer.parseInt(arguments[2]));
    AtomicInteger again = new AtomicInteger();
    Set<String> seen = ConcurrentHashMap.newKeySet();
    EventListener listener =
        event -> {
          if (seen.add(event.eventId())) {
            left.countDown();
          } else {
            again.incrementAndGet();
          }
        };
    boolean isComplete;
    try (Outbox outbox =
        builder(Kind.valueOf(arguments[1]))
            .store(JdbcOutboxStores.detect(url))
            .connectionProvider(() -> DriverManager.getConnection(url))
            .txContext(new ThreadLocalTxContext())
            .listenerRegistry(new DefaultListenerRegistry().register("Order", TYPE, listener))
            .build()) {
      outbox.start();
      isComplete = left.await(120, TimeUnit.SECONDS);
    }
    System.out.println("left=" + left.getCount() + " again=" + again);
    System.exit(isComplete && again.get() == 0 ? 0 : 1);
  }

  private static RelayBuilder<?> builder(Kind kind) {
    return switch (kind) {
      case CLAIMED -> Outbox.multiNode().poller(poller -> poller.intervalMs(NEVER_MS));
      case POLLED -> Outbox.singleNode().poller(poller -> poller.intervalMs(NEVER_MS));
      case ORDERED -> Outbox.ordered();
    };
  }
}
