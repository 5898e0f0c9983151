package outbox.jdbc.store;

import static org.awaitility.Awaitility.await;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.NonRetryableException;
import outbox.Outbox;
import outbox.jdbc.database.JdbcDatabase;
import outbox.model.EventStatus;
import outbox.spi.ConnectionProvider;
import outbox.spi.LeaseTable;
import outbox.spi.OrderedStore;
import outbox.spi.OutboxStore;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

/** How often nodes read what blocks, when there is so much of it that reading takes long. */
class BlockReadingTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** After reads that take this long, the next is due in a minute. */
  private static final Duration EXPENSIVE = Duration.ofMillis(700);

  private final AtomicInteger reads = new AtomicInteger();
  private final AtomicInteger renewals = new AtomicInteger();
  private final AtomicBoolean isAnswered = new AtomicBoolean(true);
  private final CountDownLatch never = new CountDownLatch(1);
  private Database database;
  private JdbcDatabase jdbc;
  private Outbox node;

  @BeforeEach
  void start() {
    database = Databases.h2().fresh();
    jdbc = JdbcDatabase.of(database.dataSource()).createTable();
    node =
        Outbox.ordered()
            .store(proxy(OutboxStore.class, this::store))
            .connectionProvider(this::connection)
            .txContext(jdbc.transactions())
            .partitions(1)
            .lease(Duration.ofSeconds(5))
            .interval(Duration.ofMillis(100))
            .listener(
                "Placed",
                event -> {
                  isAnswered.set(false);
                  throw new NonRetryableException("refused for ever");
                })
            .build();
    node.start();
  }

  @AfterEach
  void stop() {
    isAnswered.set(true);
    node.close();
    database.close();
  }

  @Test
  void expensiveReadsWaitTheirTurn() {
    await().atMost(PATIENCE).until(() -> renewals.get() > 2 * reads.get() + 5);
  }

  /** It may block, and nobody here has heard of it. */
  @Test
  void eventOfWhichNobodyKnowsWhatBecameOfItHasThemReadAtOnce() throws SQLException {
    await().atMost(PATIENCE).until(() -> reads.get() >= 2 && renewals.get() > reads.get() + 1);
    int before = reads.get();

    EventEnvelope event =
        EventEnvelope.builder("Placed")
            .aggregateType("Order")
            .aggregateId("1")
            .payloadJson("{}")
            .build();
    try (Connection connection = database.dataSource().getConnection()) {
      jdbc.store().insertNew(connection, event);
    }
    await().atMost(PATIENCE).until(() -> status(event) == EventStatus.DEAD);
    isAnswered.set(true);

    await().atMost(Duration.ofSeconds(40)).until(() -> reads.get() > before);
  }

  private EventStatus status(EventEnvelope event) throws SQLException {
    try (Connection connection = database.dataSource().getConnection()) {
      return jdbc.store().find(connection, event.eventId()).orElseThrow().status();
    }
  }

  private Object store(Method method, Object[] arguments) throws Throwable {
    Object answer = invoke(jdbc.store(), method, arguments);
    return answer instanceof OrderedStore ordered
        ? proxy(OrderedStore.class, (asked, with) -> ordered(ordered, asked, with))
        : answer;
  }

  private Object ordered(OrderedStore ordered, Method method, Object[] arguments) throws Throwable {
    if (method.getName().equals("blocks")) {
      never.await(EXPENSIVE.toMillis(), TimeUnit.MILLISECONDS);
      reads.incrementAndGet();
    }
    Object answer = invoke(ordered, method, arguments);
    return answer instanceof LeaseTable leases
        ? proxy(LeaseTable.class, (asked, with) -> leases(leases, asked, with))
        : answer;
  }

  private Object leases(LeaseTable leases, Method method, Object[] arguments) throws Throwable {
    if (method.getName().equals("renew")) {
      renewals.incrementAndGet();
    }
    return invoke(leases, method, arguments);
  }

  /** Commits, but its client doesn't hear of it. */
  private Connection connection() throws SQLException {
    ConnectionProvider connections = jdbc.connections();
    Connection connection = connections.getConnection();
    return proxy(
        Connection.class,
        (method, arguments) -> {
          Object answer = invoke(connection, method, arguments);
          if (method.getName().equals("commit") && !isAnswered.get()) {
            throw new SQLException("connection lost", "08006");
          }
          return answer;
        });
  }

  private interface Answer {
    Object to(Method method, Object[] arguments) throws Throwable;
  }

  private static <T> T proxy(Class<T> type, Answer answer) {
    InvocationHandler handler = (proxy, method, arguments) -> answer.to(method, arguments);
    return type.cast(
        Proxy.newProxyInstance(
            BlockReadingTest.class.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private static Object invoke(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
