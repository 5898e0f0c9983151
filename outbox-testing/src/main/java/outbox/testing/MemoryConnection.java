package outbox.testing;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Savepoint;
import org.jspecify.annotations.Nullable;

/**
 * What a connection to a {@link MemoryTable} can do: begin, commit, roll back, also to savepoints,
 * and close.
 */
final class MemoryConnection implements InvocationHandler {

  private final MemoryTable table;
  private MemoryTable.@Nullable Transaction tx;
  private boolean closed;

  private MemoryConnection(MemoryTable table) {
    this.table = table;
  }

  static Connection open(MemoryTable table) {
    return (Connection)
        Proxy.newProxyInstance(
            MemoryConnection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            new MemoryConnection(table));
  }

  /** The transaction that a connection of this table is in; null under auto-commit. */
  static MemoryTable.@Nullable Transaction transactionOf(
      @Nullable Connection connection, MemoryTable table) {
    if (connection == null) {
      return null;
    }
    MemoryConnection memory = unwrap(connection);
    if (memory != null && memory.table == table) {
      return memory.openTransaction();
    }
    throw new IllegalArgumentException(
        "connection must be null or from this store's connections(), got: " + connection);
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws SQLException {
    switch (method.getName()) {
      case "getAutoCommit" -> {
        return openTransaction() == null;
      }
      case "setAutoCommit" -> setAutoCommit(arguments != null && (boolean) arguments[0]);
      case "commit" -> table.commit(transaction("commit"));
      case "rollback" -> rollback(argument(arguments));
      case "setSavepoint" -> {
        return transaction("setSavepoint").setSavepoint((String) argument(arguments));
      }
      case "releaseSavepoint" ->
          require(transaction("releaseSavepoint").release((Savepoint) argument(arguments)));
      case "close" -> close();
      case "isClosed" -> {
        return closed;
      }
      case "isWrapperFor" -> {
        return argument(arguments) == MemoryConnection.class;
      }
      case "unwrap" -> {
        return argument(arguments) == MemoryConnection.class ? this : null;
      }
      case "toString" -> {
        return "in-memory connection";
      }
      case "hashCode" -> {
        return System.identityHashCode(proxy);
      }
      case "equals" -> {
        return proxy == argument(arguments);
      }
      default -> throw new SQLFeatureNotSupportedException(method.getName());
    }
    return null;
  }

  private static @Nullable Object argument(Object @Nullable [] arguments) {
    return arguments == null ? null : arguments[0];
  }

  /** Also finds one behind the wrapper of a pool or a transaction. */
  private static @Nullable MemoryConnection unwrap(Connection connection) {
    try {
      return connection.unwrap(MemoryConnection.class);
    } catch (SQLException | RuntimeException notOurs) {
      return null;
    }
  }

  private void rollback(@Nullable Object savepoint) throws SQLException {
    MemoryTable.Transaction open = transaction("rollback");
    if (savepoint == null) {
      table.rollback(open);
    } else {
      require(savepoint instanceof MemorySavepoint ours && table.rollback(open, ours));
    }
  }

  private static void require(boolean isKnown) throws SQLException {
    if (!isKnown) {
      throw new SQLException("the savepoint is not one of this transaction, or not any more");
    }
  }

  private void setAutoCommit(boolean autoCommit) {
    MemoryTable.Transaction open = openTransaction();
    if (autoCommit && open != null) {
      table.commit(open);
      tx = null;
    } else if (!autoCommit && open == null) {
      tx = new MemoryTable.Transaction();
    }
  }

  private void close() {
    if (tx != null) {
      table.rollback(tx);
    }
    closed = true;
  }

  private MemoryTable.Transaction transaction(String operation) throws SQLException {
    MemoryTable.Transaction open = openTransaction();
    if (open == null) {
      throw new SQLException(operation + " is not possible under auto-commit");
    }
    return open;
  }

  private MemoryTable.@Nullable Transaction openTransaction() {
    if (closed) {
      throw new IllegalStateException("connection is closed");
    }
    return tx;
  }
}
