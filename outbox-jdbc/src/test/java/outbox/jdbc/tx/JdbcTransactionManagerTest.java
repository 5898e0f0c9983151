package outbox.jdbc.tx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import outbox.jdbc.DataSourceConnectionProvider;
import outbox.jdbc.tx.JdbcTransactionManager.Transaction;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class JdbcTransactionManagerTest {

  private final Database database = Databases.h2().fresh();
  private final ThreadLocalTxContext txContext = new ThreadLocalTxContext();
  private final List<String> calls = new ArrayList<>();
  private FaultyConnection faults;
  private JdbcTransactionManager transactions;

  @BeforeEach
  void createTable() throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE orders (id INT PRIMARY KEY)");
    }
    faults = new FaultyConnection();
    transactions =
        new JdbcTransactionManager(
            () -> faults.around(database.dataSource().getConnection()), txContext);
  }

  @AfterEach
  void dropDatabase() {
    database.close();
  }

  @Test
  void commitKeepsWhatWasWrittenAndGivesTheConnectionBack() throws SQLException {
    try (Transaction transaction = transactions.begin()) {
      insert(1);
      transaction.commit();
    }

    assertThat(orders()).isEqualTo(1);
    assertThat(faults.calls())
        .containsExactly("setAutoCommit false", "commit", "setAutoCommit true", "close");
  }

  @Test
  void closeWithoutCommitRollsBack() throws SQLException {
    try (Transaction transaction = transactions.begin()) {
      assertThat(transaction).isNotNull();
      register("it");
      insert(1);
    }

    assertThat(orders()).isZero();
    assertThat(calls).containsExactly("it rolled back");
    assertThat(txContext.isTransactionActive()).isFalse();
    assertThat(faults.calls())
        .containsExactly("setAutoCommit false", "rollback", "setAutoCommit true", "close");
  }

  @Test
  void autoCommitIsRestoredToWhatItWas() throws SQLException {
    Connection connection = database.dataSource().getConnection();
    connection.setAutoCommit(false);
    faults = new FaultyConnection();
    transactions = new JdbcTransactionManager(() -> faults.around(connection), txContext);

    transactions.begin().commit();

    assertThat(faults.calls())
        .containsExactly("setAutoCommit false", "commit", "setAutoCommit false", "close");
  }

  @Test
  void secondBeginOnTheSameThreadIsRefusedAndHarmsNothing() throws SQLException {
    try (Transaction transaction = transactions.begin()) {
      insert(1);
      assertThatThrownBy(transactions::begin)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("already active on this thread");
      transaction.commit();
    }

    assertThat(orders()).isEqualTo(1);
    assertThat(faults.opened()).isEqualTo(1);
  }

  @Test
  void beginThatFailsLeaksNoConnection() {
    faults.fail("setAutoCommit false");

    assertThatThrownBy(transactions::begin)
        .isInstanceOf(SQLException.class)
        .hasMessage("setAutoCommit false");

    assertThat(faults.calls()).containsExactly("setAutoCommit false", "close");
    assertThat(txContext.isTransactionActive()).isFalse();
  }

  @Test
  void failedCommitRollsBackAndRunsTheRollbackCallbacks() throws SQLException {
    faults.fail("commit");
    Transaction transaction = transactions.begin();
    register("it");
    insert(1);

    assertThatThrownBy(transaction::commit).isInstanceOf(SQLException.class).hasMessage("commit");

    assertThat(calls).containsExactly("it rolled back");
    assertThat(orders()).isZero();
    assertThat(txContext.isTransactionActive()).isFalse();
    assertThat(faults.calls())
        .containsExactly(
            "setAutoCommit false", "commit", "rollback", "setAutoCommit true", "close");
  }

  @Test
  void everythingThatFailsAfterAFailedCommitIsSuppressedInIt() throws SQLException {
    faults.fail("commit");
    faults.fail("rollback");
    Transaction transaction = transactions.begin();
    IllegalStateException fault = new IllegalStateException("callback");
    txContext.afterRollback(
        () -> {
          throw fault;
        });
    register("second");

    assertThatThrownBy(transaction::commit)
        .hasMessage("commit")
        .satisfies(e -> assertThat(e.getSuppressed()).hasSize(2).contains(fault));

    assertThat(calls).containsExactly("second rolled back");
    assertThat(faults.calls()).endsWith("close");
  }

  @Test
  void failedRollbackIsThrownAfterItsCallbacksRan() throws SQLException {
    faults.fail("rollback");
    Transaction transaction = transactions.begin();
    register("it");

    assertThatThrownBy(transaction::rollback).isInstanceOf(SQLException.class);

    assertThat(calls).containsExactly("it rolled back");
    assertThat(faults.calls()).endsWith("close");
    assertThat(txContext.isTransactionActive()).isFalse();
  }

  @Test
  void commitStandsEvenIfTheConnectionCannotBeGivenBack() throws SQLException {
    faults.fail("setAutoCommit true");
    faults.fail("close");
    Transaction transaction = transactions.begin();
    register("it");
    insert(1);

    transaction.commit();

    assertThat(calls).containsExactly("it committed");
    assertThat(orders()).isEqualTo(1);
  }

  @Test
  void allCallbacksRunAndTheFirstFailureCarriesTheOthers() throws SQLException {
    Transaction transaction = transactions.begin();
    Error first = new AssertionError("first");
    RuntimeException second = new IllegalStateException("second");
    txContext.afterCommit(
        () -> {
          throw first;
        });
    register("middle");
    txContext.afterCommit(
        () -> {
          throw second;
        });
    txContext.afterCommit(
        () -> {
          throw first;
        });
    register("last");

    assertThatThrownBy(transaction::commit).isSameAs(first).hasSuppressedException(second);

    assertThat(calls).containsExactly("middle committed", "last committed");
    assertThat(txContext.isTransactionActive()).isFalse();
  }

  @Test
  void callbackMayBeginATransactionOfItsOwn() throws SQLException {
    Transaction transaction = transactions.begin();
    txContext.afterCommit(
        () -> {
          assertThat(txContext.isTransactionActive()).isFalse();
          try (Transaction own = transactions.begin()) {
            insert(2);
            own.commit();
          } catch (SQLException e) {
            throw new IllegalStateException(e);
          }
        });
    insert(1);

    transaction.commit();

    assertThat(orders()).isEqualTo(2);
  }

  @Test
  void anEndedTransactionCannotBeCommittedAgain() throws SQLException {
    Transaction committed = transactions.begin();
    committed.commit();
    Transaction rolledBack = transactions.begin();
    rolledBack.rollback();

    assertThatThrownBy(committed::commit).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(rolledBack::commit).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(committed::rollback).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void rollbackAndCloseAfterARollbackDoNothing() throws SQLException {
    Transaction transaction = transactions.begin();
    register("it");
    transaction.rollback();

    transaction.rollback();
    transaction.close();

    assertThat(calls).containsExactly("it rolled back");
  }

  @Test
  void aTransactionThatEndsElsewhereIsOverForItsThreadToo() throws Exception {
    Transaction transaction = transactions.begin();
    Thread other =
        new Thread(
            () -> {
              try {
                transaction.rollback();
              } catch (SQLException e) {
                calls.add(e.toString());
              }
            });
    other.start();
    other.join();

    assertThat(txContext.isTransactionActive()).isFalse();
    transactions.begin().rollback();
    assertThat(calls).isEmpty();
  }

  @Test
  void everyConnectionGoesBackToThePool() throws SQLException {
    JdbcTransactionManager pooled =
        new JdbcTransactionManager(new DataSourceConnectionProvider(database.pooled()), txContext);

    for (int i = 0; i < 20; i++) {
      try (Transaction transaction = pooled.begin()) {
        insert(i);
        transaction.commit();
      }
    }

    assertThat(orders()).isEqualTo(20);
  }

  private void register(String name) {
    txContext.afterCommit(() -> calls.add(name + " committed"));
    txContext.afterRollback(() -> calls.add(name + " rolled back"));
  }

  private void insert(int id) throws SQLException {
    try (Statement statement = txContext.currentConnection().createStatement()) {
      statement.execute("INSERT INTO orders VALUES (" + id + ")");
    }
  }

  private int orders() throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("SELECT COUNT(*) FROM orders")) {
      result.next();
      return result.getInt(1);
    }
  }
}
