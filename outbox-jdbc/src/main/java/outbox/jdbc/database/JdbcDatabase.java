package outbox.jdbc.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import javax.sql.DataSource;
import outbox.jdbc.DataSourceConnectionProvider;
import outbox.jdbc.TableName;
import outbox.jdbc.schema.OutboxSchema;
import outbox.jdbc.store.AbstractJdbcOutboxStore;
import outbox.jdbc.store.JdbcOutboxStores;
import outbox.jdbc.tx.JdbcTransactionManager;
import outbox.jdbc.tx.ThreadLocalTxContext;
import outbox.spi.ConnectionProvider;
import outbox.spi.EventPurger;
import outbox.spi.OutboxDatabase;
import outbox.spi.OutboxStore;

/**
 * A DataSource with its outbox table and with transactions for applications that have no framework
 * for them. Safe for all threads.
 *
 * <pre>{@code
 * JdbcDatabase database = JdbcDatabase.of(dataSource);
 * Outbox outbox = Outbox.singleNode().database(database).listener("OrderPlaced", this::send).build();
 * try (var tx = database.begin()) {
 *   orders.insert(database.connection(), order);
 *   outbox.writer().write("OrderPlaced", json);
 *   tx.commit();
 * }
 * }</pre>
 */
public final class JdbcDatabase implements OutboxDatabase {

  private final DataSource dataSource;
  private final AbstractJdbcOutboxStore store;
  private final TableName table;
  private final ConnectionProvider connections;
  private final ThreadLocalTxContext transactions;

  private JdbcDatabase(
      DataSource dataSource,
      AbstractJdbcOutboxStore store,
      TableName table,
      ThreadLocalTxContext transactions) {
    this.dataSource = dataSource;
    this.store = store;
    this.table = table;
    this.transactions = transactions;
    connections = new DataSourceConnectionProvider(dataSource);
  }

  /**
   * Finds out which database it is; the table is {@code outbox_event}.
   *
   * @throws IllegalArgumentException if the database is not known
   */
  public static JdbcDatabase of(DataSource dataSource) {
    return new JdbcDatabase(
        Objects.requireNonNull(dataSource, "dataSource must not be null"),
        JdbcOutboxStores.detect(dataSource),
        TableName.DEFAULT,
        new ThreadLocalTxContext());
  }

  /**
   * The same database with another outbox table, such as {@code billing.outbox_event}. It shares
   * the transactions of this one, so that events for several tables can be written in one.
   */
  public JdbcDatabase withTable(String table) {
    TableName name = TableName.parse(table);
    return new JdbcDatabase(dataSource, store.withTable(name), name, transactions);
  }

  /** Creates the table where it is missing; for tests and demos, or where nothing else does it. */
  public JdbcDatabase createTable() {
    OutboxSchema.of(store.name()).withTable(table).apply(dataSource);
    return this;
  }

  /**
   * Begins a transaction of the calling thread.
   *
   * @throws IllegalStateException if the thread already has one
   */
  public JdbcTransactionManager.Transaction begin() throws SQLException {
    return new JdbcTransactionManager(connections, transactions).begin();
  }

  /**
   * The connection of the calling thread's transaction, for the business statements.
   *
   * @throws IllegalStateException if the thread has no transaction
   */
  public Connection connection() {
    return transactions.currentConnection();
  }

  @Override
  public OutboxStore store() {
    return store;
  }

  @Override
  public ConnectionProvider connections() {
    return connections;
  }

  @Override
  public ThreadLocalTxContext transactions() {
    return transactions;
  }

  @Override
  public EventPurger purger() {
    return store.purger();
  }
}
