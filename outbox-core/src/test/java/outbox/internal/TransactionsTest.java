package outbox.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TransactionsTest {

  private final List<String> calls = new ArrayList<>();
  private boolean autoCommit = true;
  private String failsAt = "";

  /** Records what is done to it. */
  private Connection connection() {
    return (Connection)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              switch (method.getName()) {
                case "getNetworkTimeout" -> {
                  return 1; // shorter than the engine's own, which then isn't set
                }
                case "getAutoCommit" -> {
                  return autoCommit;
                }
                case "setAutoCommit" -> {
                  autoCommit = (boolean) arguments[0];
                  calls.add("autoCommit " + autoCommit);
                }
                default -> calls.add(method.getName());
              }
              if (method.getName().equals(failsAt)) {
                throw new SQLException(failsAt + " failed");
              }
              return null;
            });
  }

  private Object work(Connection connection) {
    calls.add("work");
    return connection;
  }

  private Object failingWork(Connection connection) {
    calls.add("work");
    throw new AssertionError("work failed");
  }

  @Test
  void underAutoCommitWorkRunsAsItIs() throws Exception {
    Transactions.onConnection(this::connection, this::work);

    assertThat(calls).containsExactly("work", "close");
  }

  @Test
  void withoutAutoCommitWorkIsCommitted() throws Exception {
    autoCommit = false;

    Transactions.onConnection(this::connection, this::work);

    assertThat(calls).containsExactly("work", "commit", "close");
  }

  @Test
  void withoutAutoCommitFailingWorkIsRolledBack() {
    autoCommit = false;

    assertThatThrownBy(() -> Transactions.onConnection(this::connection, this::failingWork))
        .hasMessage("work failed");

    assertThat(calls).containsExactly("work", "rollback", "close");
  }

  @Test
  void transactionRestoresAutoCommit() throws Exception {
    Transactions.inTransaction(this::connection, this::work);

    assertThat(calls)
        .containsExactly("autoCommit false", "work", "commit", "autoCommit true", "close");
  }

  @Test
  void failedTransactionIsRolledBackAndRestoresAutoCommit() {
    assertThatThrownBy(() -> Transactions.inTransaction(this::connection, this::failingWork))
        .hasMessage("work failed");

    assertThat(calls)
        .containsExactly("autoCommit false", "work", "rollback", "autoCommit true", "close");
  }

  @Test
  void failedCommitIsRolledBack() {
    failsAt = "commit";

    assertThatThrownBy(() -> Transactions.inTransaction(this::connection, this::work))
        .hasMessage("commit failed");

    assertThat(calls)
        .containsExactly(
            "autoCommit false", "work", "commit", "rollback", "autoCommit true", "close");
  }

  @Test
  void failedRollbackHidesNothing() {
    failsAt = "rollback";

    assertThatThrownBy(() -> Transactions.inTransaction(this::connection, this::failingWork))
        .hasMessage("work failed")
        .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
  }

  @Test
  void failureToRestoreAutoCommitHidesNothing() {
    Connection connection = connection();
    Transactions.Work<Object> brokenLater =
        c -> {
          failsAt = "setAutoCommit";
          throw new SQLException("work failed");
        };

    assertThatThrownBy(() -> Transactions.inTransaction(connection, brokenLater))
        .hasMessage("work failed");
  }

  @Test
  void transactionWithinATransactionJoinsIt() throws Exception {
    autoCommit = false;

    Transactions.inTransaction(connection(), this::work);

    assertThat(calls).containsExactly("work");
  }

  @Test
  void storeWithoutADatabaseNeedsNoConnection() throws Exception {
    assertThat(Transactions.onConnection(() -> null, this::work)).isNull();
    assertThat(Transactions.inTransaction(() -> null, this::work)).isNull();

    assertThat(calls).containsExactly("work", "work");
  }
}
