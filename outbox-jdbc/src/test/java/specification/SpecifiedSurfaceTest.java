package specification;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import outbox.AggregateType;
import outbox.EventEnvelope;
import outbox.EventListener;
import outbox.EventType;
import outbox.OutboxWriter;
import outbox.StringAggregateType;
import outbox.StringEventType;
import outbox.WriterHook;
import outbox.dead.DeadEventManager;
import outbox.dispatch.DefaultInFlightTracker;
import outbox.dispatch.DispatcherPollerHandler;
import outbox.dispatch.DispatcherWriterHook;
import outbox.dispatch.EventInterceptor;
import outbox.dispatch.ExponentialBackoffRetryPolicy;
import outbox.dispatch.InFlightTracker;
import outbox.dispatch.OutboxDispatcher;
import outbox.dispatch.QueuedEvent;
import outbox.dispatch.RetryPolicy;
import outbox.dispatch.UnroutableEventException;
import outbox.jdbc.DataSourceConnectionProvider;
import outbox.jdbc.JdbcTemplate;
import outbox.jdbc.OutboxStoreException;
import outbox.jdbc.TableNames;
import outbox.jdbc.purge.AbstractJdbcEventPurger;
import outbox.jdbc.purge.H2EventPurger;
import outbox.jdbc.purge.MySqlEventPurger;
import outbox.jdbc.purge.PostgresEventPurger;
import outbox.jdbc.store.AbstractJdbcOutboxStore;
import outbox.jdbc.store.H2OutboxStore;
import outbox.jdbc.store.JdbcOutboxStores;
import outbox.jdbc.store.MySqlOutboxStore;
import outbox.jdbc.store.PostgresOutboxStore;
import outbox.jdbc.tx.JdbcTransactionManager;
import outbox.jdbc.tx.ThreadLocalTxContext;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.poller.OutboxPoller;
import outbox.poller.OutboxPollerHandler;
import outbox.purge.OutboxPurgeScheduler;
import outbox.registry.DefaultListenerRegistry;
import outbox.registry.ListenerRegistry;
import outbox.spi.ConnectionProvider;
import outbox.spi.EventPurger;
import outbox.spi.MetricsExporter;
import outbox.spi.OutboxStore;
import outbox.spi.TxContext;
import outbox.testing.databases.Databases;
import outbox.util.DaemonThreadFactory;
import outbox.util.DefaultJsonCodec;
import outbox.util.JsonCodec;

/**
 * What an application written to the specification does, from outside the library's packages: that
 * this class compiles is most of the test.
 */
class SpecifiedSurfaceTest {

  private static final OutboxStore STORE = new H2OutboxStore();
  private static final ConnectionProvider CONNECTIONS =
      new DataSourceConnectionProvider(dataSource());

  enum Orders implements EventType {
    PLACED
  }

  enum Aggregates implements AggregateType {
    ORDER
  }

  static Stream<Arguments> interfacesThatUsersImplement() {
    return Stream.of(
        Arguments.of(OutboxStore.class, 5),
        Arguments.of(MetricsExporter.class, 8),
        Arguments.of(TxContext.class, 4),
        Arguments.of(InFlightTracker.class, 2),
        Arguments.of(JsonCodec.class, 2),
        Arguments.of(ListenerRegistry.class, 1),
        Arguments.of(RetryPolicy.class, 1),
        Arguments.of(ConnectionProvider.class, 1),
        Arguments.of(EventListener.class, 1),
        Arguments.of(OutboxPollerHandler.class, 1),
        Arguments.of(EventPurger.class, 1),
        Arguments.of(WriterHook.class, 0),
        Arguments.of(EventInterceptor.class, 0));
  }

  @ParameterizedTest
  @MethodSource("interfacesThatUsersImplement")
  void userInterfacesKeepTheirAbstractMethods(Class<?> type, int count) {
    assertThat(Arrays.stream(type.getMethods()).map(Method::getModifiers))
        .filteredOn(Modifier::isAbstract)
        .hasSize(count);
  }

  @Test
  void aListenerLambdaIsNeverAmbiguous() {
    DefaultListenerRegistry registry =
        new DefaultListenerRegistry()
            .register("Order", "Placed", event -> {})
            .register(Aggregates.ORDER, Orders.PLACED, event -> {})
            .register(Aggregates.ORDER, "Paid", event -> {})
            .register("Ping", event -> {})
            .register(Orders.PLACED, event -> {});

    assertThat(registry.listenerFor("Order", "Placed")).isNotNull();
    assertThat(registry.listenerFor(AggregateType.GLOBAL.name(), "Ping")).isNotNull();
    assertThat(registry.listenerFor("Order", "Unknown")).isNull();
  }

  @Test
  void envelopesAreBuiltInEverySpecifiedWay() {
    EventEnvelope full =
        EventEnvelope.builder(Orders.PLACED)
            .eventId("event-1")
            .occurredAt(Instant.EPOCH)
            .aggregateType(Aggregates.ORDER)
            .aggregateType("Order")
            .aggregateType(StringAggregateType.of("Order"))
            .aggregateId("42")
            .tenantId("acme")
            .headers(Map.of("k", "v"))
            .payloadJson("{}")
            .build();
    EventEnvelope bytes = EventEnvelope.builder("Ping").payloadBytes(new byte[] {1}).build();
    EventEnvelope typed = EventEnvelope.ofJson(StringEventType.of("Ping"), "{}");
    EventEnvelope named = EventEnvelope.ofJson("Ping", "{}");

    assertThat(full.occurredAt()).isEqualTo(Instant.EPOCH);
    assertThat(List.of(full.eventId(), full.eventType(), full.aggregateType(), full.aggregateId()))
        .containsExactly("event-1", "PLACED", "Order", "42");
    assertThat(full.tenantId()).isEqualTo("acme");
    assertThat(full.headers()).containsEntry("k", "v");
    assertThat(full.payloadJson()).isEqualTo("{}");
    assertThat(bytes.payloadBytes()).containsExactly(1);
    assertThat(typed.aggregateType()).isEqualTo("__GLOBAL__");
    assertThat(named.eventId()).hasSize(26);
    assertThat(EventEnvelope.MAX_PAYLOAD_BYTES).isEqualTo(1_048_576);
  }

  @Test
  void theDispatcherAndItsBridgesAreBuiltAsSpecified() {
    MetricsExporter metrics = MetricsExporter.NOOP;
    EventInterceptor before = EventInterceptor.before(event -> {});
    EventInterceptor after = EventInterceptor.after((event, error) -> {});

    try (OutboxDispatcher dispatcher =
        dispatcher()
            .inFlightTracker(new DefaultInFlightTracker(1_000))
            .retryPolicy(new ExponentialBackoffRetryPolicy(200, 60_000))
            .maxAttempts(10)
            .hotQueueCapacity(2)
            .coldQueueCapacity(2)
            .metrics(metrics)
            .interceptor(before)
            .interceptors(List.of(before, after))
            .drainTimeoutMs(10)
            .build()) {
      ThreadLocalTxContext tx = new ThreadLocalTxContext();
      WriterHook hook = new DispatcherWriterHook(dispatcher);
      QueuedEvent event =
          new QueuedEvent(EventEnvelope.ofJson("Ping", "{}"), QueuedEvent.Source.HOT, 0);

      assertThat(new DispatcherWriterHook(dispatcher, metrics)).isNotNull();
      assertThat(new OutboxWriter(tx, STORE)).isNotNull();
      assertThat(new OutboxWriter(tx, STORE, hook)).isNotNull();
      assertThat(new DeadEventManager(CONNECTIONS, STORE)).isNotNull();
      assertThat(new JdbcTransactionManager(CONNECTIONS, tx)).isNotNull();
      assertThat(dispatcher.enqueueHot(event)).isTrue();
      assertThat(dispatcher.coldQueueRemainingCapacity()).isEqualTo(2);
    }
  }

  @Test
  void thePollerAndThePurgeSchedulerAreBuiltAsSpecified() {
    try (OutboxDispatcher dispatcher = dispatcher().build();
        OutboxPoller poller =
            OutboxPoller.builder()
                .connectionProvider(CONNECTIONS)
                .outboxStore(STORE)
                .handler(new DispatcherPollerHandler(dispatcher))
                .skipRecent(Duration.ofSeconds(1))
                .batchSize(50)
                .intervalMs(5_000)
                .metrics(MetricsExporter.NOOP)
                .claimLocking(Duration.ofMinutes(5))
                .claimLocking("node-1", Duration.ofMinutes(5))
                .jsonCodec(JsonCodec.getDefault())
                .build();
        OutboxPurgeScheduler purge =
            OutboxPurgeScheduler.builder()
                .connectionProvider(CONNECTIONS)
                .purger(new H2EventPurger())
                .retention(Duration.ofDays(7))
                .batchSize(500)
                .intervalSeconds(3600)
                .build()) {
      assertThat(poller).isNotSameAs(purge);
    }
  }

  @Test
  void storesAndPurgersHaveTheirConstructorsAndNames() {
    JsonCodec codec = new DefaultJsonCodec();
    List<AbstractJdbcOutboxStore> stores =
        List.of(
            new H2OutboxStore(),
            new H2OutboxStore("my_events"),
            new H2OutboxStore("my_events", codec),
            new MySqlOutboxStore(),
            new MySqlOutboxStore("my_events"),
            new MySqlOutboxStore("my_events", codec),
            new PostgresOutboxStore(),
            new PostgresOutboxStore("my_events"),
            new PostgresOutboxStore("my_events", codec));
    List<AbstractJdbcEventPurger> purgers =
        List.of(
            new H2EventPurger(),
            new H2EventPurger("my_events"),
            new MySqlEventPurger(),
            new MySqlEventPurger("my_events"),
            new PostgresEventPurger(),
            new PostgresEventPurger("my_events"));

    assertThat(stores)
        .extracting(AbstractJdbcOutboxStore::name)
        .contains("h2", "mysql", "postgresql");
    assertThat(new MySqlOutboxStore().jdbcUrlPrefixes()).contains("jdbc:mysql:", "jdbc:tidb:");
    assertThat(purgers).hasSize(6);
    assertThat(JdbcOutboxStores.all())
        .extracting(AbstractJdbcOutboxStore::name)
        .contains("h2", "mysql", "postgresql", "mariadb");
    assertThat(JdbcOutboxStores.get("H2")).isInstanceOf(H2OutboxStore.class);
    assertThat(JdbcOutboxStores.detect("jdbc:tidb://x")).isInstanceOf(MySqlOutboxStore.class);
    assertThat(JdbcOutboxStores.detect("jdbc:h2:mem:x", codec)).isInstanceOf(H2OutboxStore.class);
    assertThat(JdbcOutboxStores.detect(dataSource())).isInstanceOf(H2OutboxStore.class);
    assertThat(JdbcOutboxStores.detect(dataSource(), codec).withJsonCodec(codec)).isNotNull();
    assertThat(TableNames.validate(TableNames.DEFAULT_TABLE)).isEqualTo("outbox_event");
  }

  @Test
  void theJdbcTemplateUpdatesAndQueries() throws SQLException {
    try (Connection connection = dataSource().getConnection()) {
      JdbcTemplate.RowMapper<String> first = (ResultSet row) -> row.getString(1);
      JdbcTemplate.update(connection, "CREATE TABLE t (a VARCHAR(9))");

      int inserted = JdbcTemplate.update(connection, "INSERT INTO t VALUES (?), (?)", "x", null);

      assertThat(inserted).isEqualTo(2);
      assertThat(JdbcTemplate.query(connection, "SELECT a FROM t WHERE a = ?", first, "x"))
          .containsExactly("x");
      assertThat(
              JdbcTemplate.updateReturning(
                  connection, "SELECT a FROM FINAL TABLE (INSERT INTO t VALUES (?))", first, "y"))
          .containsExactly("y");
    }
  }

  @Test
  void smallTypesAreAsSpecified() {
    OutboxEvent event =
        new OutboxEvent("id", "Type", "Agg", "1", null, "{}", null, 0, Instant.EPOCH);

    assertThat(event.attempts()).isZero();
    assertThat(Arrays.stream(EventStatus.values()).map(EventStatus::code))
        .containsExactly(0, 1, 2, 3);
    assertThat(new UnroutableEventException("why")).isInstanceOf(Exception.class);
    assertThat(new OutboxStoreException("what", new SQLException("why")))
        .isInstanceOf(RuntimeException.class);
    assertThat(JsonCodec.getDefault()).isSameAs(JsonCodec.getDefault());
    assertThat(new DaemonThreadFactory("w-").newThread(() -> {}).getName()).isEqualTo("w-1");
    assertThat(WriterHook.NOOP.beforeWrite(List.of())).isEmpty();
  }

  private static OutboxDispatcher.Builder dispatcher() {
    return OutboxDispatcher.builder()
        .connectionProvider(CONNECTIONS)
        .outboxStore(STORE)
        .listenerRegistry(new DefaultListenerRegistry())
        .workerCount(0);
  }

  private static DataSource dataSource() {
    return Databases.h2().fresh().dataSource();
  }
}
