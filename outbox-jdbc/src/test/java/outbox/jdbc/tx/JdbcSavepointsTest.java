package outbox.jdbc.tx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import outbox.OutboxWriter;
import outbox.jdbc.tx.JdbcTransactionManager.Transaction;
import outbox.model.EventStatus;
import outbox.testing.InMemoryOutboxStore;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

/** The connection that a transaction hands out: it notices savepoints and hides nothing else. */
class JdbcSavepointsTest {

  private final Database database = Databases.h2().fresh();
  private final ThreadLocalTxContext txContext = new ThreadLocalTxContext();
  private final List<String> calls = new ArrayList<>();
  private Transaction transaction;
  private Connection connection;

  @BeforeEach
  void begin() throws SQLException {
    transaction = manager().begin();
    connection = txContext.currentConnection();
  }

  @AfterEach
  void end() throws SQLException {
    transaction.close();
    database.close();
  }

  @Test
  void namedSavepointsAreNoticed() throws SQLException {
    Savepoint outer = connection.setSavepoint("outer");
    register("outer");
    Savepoint inner = connection.setSavepoint("inner");
    register("inner");

    connection.rollback(inner);
    assertThat(outer.getSavepointName()).isEqualTo("outer");
    transaction.commit();

    assertThat(calls).containsExactly("outer committed", "inner rolled back");
  }

  @Test
  void rollbackByHandTakesEverythingBack() throws SQLException {
    register("before");

    connection.rollback();
    register("after");
    transaction.commit();

    assertThat(calls).containsExactly("before rolled back", "after committed");
  }

  @Test
  void savepointOfTheDriverItselfTakesEverythingBack() throws SQLException {
    register("before");
    Savepoint unseen = connection.unwrap(driversOwn()).setSavepoint();
    register("since");

    connection.rollback(unseen);
    transaction.commit();

    assertThat(calls).containsExactly("before rolled back", "since rolled back");
  }

  @Test
  void rollbackThatFailsTakesNothingBack() throws SQLException {
    Savepoint savepoint = connection.setSavepoint();
    register("since");
    connection.releaseSavepoint(savepoint);

    assertThatThrownBy(() -> connection.rollback(savepoint)).isInstanceOf(SQLException.class);
    transaction.commit();

    assertThat(calls).containsExactly("since committed");
  }

  @Test
  void connectionUnwrapsToTheDriversAndToItself() throws SQLException {
    assertThat(connection.isWrapperFor(driversOwn())).isTrue();
    assertThat(connection.unwrap(driversOwn())).isInstanceOf(driversOwn());
    assertThat(connection.isWrapperFor(Connection.class)).isTrue();
    assertThat(connection.unwrap(Connection.class)).isSameAs(connection);
    assertThat(connection.isWrapperFor(DataSource.class)).isFalse();
    assertThatThrownBy(() -> connection.unwrap(DataSource.class)).isInstanceOf(SQLException.class);
  }

  @Test
  void connectionEqualsItselfAndSaysWhatItIs() {
    Set<Connection> connections = new HashSet<>(Set.of(connection));

    assertThat(connections).contains(txContext.currentConnection());
    assertThat(connection).isNotEqualTo(null);
    assertThat(connection.toString()).startsWith("transaction on ");
  }

  @Test
  void failureOfTheDriverComesOutAsItIs() {
    assertThatThrownBy(() -> connection.prepareStatement("nonsense"))
        .isInstanceOf(SQLException.class);
  }

  @Test
  void storeInMemoryWorksBehindIt() throws SQLException {
    InMemoryOutboxStore store = new InMemoryOutboxStore();
    ThreadLocalTxContext inMemory = new ThreadLocalTxContext();
    OutboxWriter writer = new OutboxWriter(inMemory, store);

    try (Transaction tx = new JdbcTransactionManager(store.connections(), inMemory).begin()) {
      writer.write("T", "1");
      Savepoint savepoint = inMemory.currentConnection().setSavepoint();
      writer.write("T", "2");
      inMemory.currentConnection().rollback(savepoint);
      tx.commit();
    }

    assertThat(store.count(EventStatus.NEW)).isEqualTo(1);
  }

  private Class<? extends Connection> driversOwn() throws SQLException {
    try (Connection plain = database.dataSource().getConnection()) {
      return plain.getClass();
    }
  }

  private JdbcTransactionManager manager() {
    return new JdbcTransactionManager(database.pooled()::getConnection, txContext);
  }

  private void register(String name) {
    txContext.afterCommit(() -> calls.add(name + " committed"));
    txContext.afterRollback(() -> calls.add(name + " rolled back"));
  }
}
